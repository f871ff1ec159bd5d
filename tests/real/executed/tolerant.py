"""Changes a program so that a statement which fails leaves unknown values behind, and the next ones run.

What fails here is what stand-ins and missing data make fail: with the real packages it would not. Inside a `try` of
the program nothing is changed, because there an exception decides what runs.
"""

from __future__ import annotations

import ast

UNKNOWN, FAILURE = "__unknown__", "__failure__"
_TARGETS = (ast.Name, ast.Tuple, ast.List, ast.Starred, ast.expr_context)


def compiled(text: bytes | str, path: str) -> object:
    """Return the code of a program, changed so. Raises SyntaxError and ValueError."""
    tree = _Tolerant().visit(ast.parse(text, path))
    return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)


class _Tolerant(ast.NodeTransformer):
    def __init__(self) -> None:
        self.tries = 0

    def visit_Try(self, node: ast.Try) -> ast.AST:
        self.tries += 1
        node.body = [self.visit(statement) for statement in node.body]
        self.tries -= 1
        for handler in node.handlers:
            handler.body = [self.visit(statement) for statement in handler.body]
        node.orelse = [self.visit(statement) for statement in node.orelse]
        node.finalbody = [self.visit(statement) for statement in node.finalbody]
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        return self._guarded(node, _names(node.targets))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        return self._guarded(node, _names([node.target])) if node.value is not None else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        return self._guarded(node, _names([node.target]))

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        plain = isinstance(node.value, (ast.Constant, ast.Yield, ast.YieldFrom, ast.Await))
        return node if plain else self._guarded(node, [])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        if node.module == "__future__":
            return node
        return self._guarded(node, [one.asname or one.name for one in node.names if one.name != "*"])

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._guarded(self.generic_visit(node), [node.name])

    def visit_For(self, node: ast.AST) -> ast.AST:
        return self._guarded(self.generic_visit(node), [])

    visit_While = visit_With = visit_If = visit_For

    def _guarded(self, node: ast.AST, names: list[str]) -> ast.AST:
        """Put a statement into a `try`, after whose failure the names hold unknown values."""
        if self.tries:
            return node
        fallen = [ast.Assign([ast.Name(name, ast.Store())], ast.Name(UNKNOWN, ast.Load())) for name in names]
        handler = ast.ExceptHandler(ast.Name(FAILURE, ast.Load()), None, fallen or [ast.Pass()])
        for part in ast.walk(handler):
            ast.copy_location(part, node)
        return ast.copy_location(ast.Try([node], [handler], [], []), node)


def _names(targets: list[ast.expr]) -> list[str]:
    plain = [target for target in targets if all(isinstance(part, _TARGETS) for part in ast.walk(target))]
    return [part.id for target in plain for part in ast.walk(target) if isinstance(part, ast.Name)]
