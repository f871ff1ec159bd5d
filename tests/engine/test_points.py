"""The releases at which a target is judged: every one at which a table or the layer itself says something else."""

from __future__ import annotations

import pytest
from packaging.version import Version

from cudnnlint.core.target import Release, Span, Target
from cudnnlint.engine.points import points
from cudnnlint.rulebook import loader

TABLES = loader.load().tables


def keras(*spans: Span, backend: str = "jax", since: str | None = "3.4.0", until: str | None = "3.9.0") -> list[str]:
    """The releases of Keras at which an open target is judged, with these eras of the layer."""
    target = Target("keras", Release(span=Span.of(since, until)), backend)
    return [str(point.keras) for point in points(target, TABLES, spans)]


def test_a_release_is_judged_by_itself() -> None:
    target = Target("keras", Release.at("3.5.0"), "jax")
    assert [str(one.keras) for one in points(target, TABLES, [Span.of("3.4.5", "3.6.5")])] == ["3.5.0"]


def test_an_open_target_begins_with_its_first_release_and_stays_inside() -> None:
    found = keras()
    assert found[0] == "3.4.0"
    assert found == sorted(found, key=Version)
    assert all(Version("3.4.0") <= Version(one) < Version("3.9.0") for one in found)


@pytest.mark.parametrize(
    ("since", "until", "more"),
    [
        ("3.5.7", "3.7.7", {"3.5.7", "3.7.7"}),
        (None, "3.7.7", {"3.7.7"}),
        ("3.5.7", None, {"3.5.7"}),
        ("3.4.0", "3.9.0", set()),
        ("3.3.9", "3.9.1", set()),
        ("3.4.1", "3.8.9", {"3.4.1", "3.8.9"}),
    ],
)
def test_an_era_of_the_layer_adds_its_bounds_inside_the_target(since: str, until: str, more: set[str]) -> None:
    assert set(keras(Span.of(since, until))) - set(keras()) == more - set(keras())


def test_a_row_of_another_backend_or_framework_adds_nothing() -> None:
    bounds = {
        str(bound)
        for scope in TABLES.scopes
        if scope.framework == "keras" and scope.backend in (None, "jax")
        for bound in (scope.keras.since, scope.keras.until)
    }
    assert set(keras()) - {"3.4.0"} <= bounds


@pytest.mark.parametrize(
    ("framework", "era", "there"),
    [("tf_keras", "2.16.9", True), ("tf_keras", "3.0.0", False), ("tensorflow", "2.4.9", True),
     ("tensorflow", "2.6.0", False), ("keras", "4.0.0", True)],
)  # fmt: skip
def test_a_line_of_releases_ends_where_the_package_does(framework: str, era: str, there: bool) -> None:
    found = points(Target(framework, Release(), "tensorflow"), TABLES, [Span.of(era, None)])
    assert (era in {str(point.keras) for point in found}) is there
    assert found[0].keras == TABLES.milestones.first[framework]


def tensorflow(beneath: Release | None, *eras: Span, release: str = "3.10.0") -> list[str]:
    """The releases of TensorFlow at which a fixed Keras is judged."""
    target = Target("keras", Release.at(release), "tensorflow", beneath)
    return [str(point.tensorflow) for point in points(target, TABLES, (), eras)]


def test_tensorflow_beneath_keras_3_begins_with_the_oldest_that_it_runs_on() -> None:
    oldest = str(TABLES.milestones.dates["beneath_keras_3"])
    assert tensorflow(None)[0] == oldest
    assert set(tensorflow(None, Span.of("2.14.9", "2.17.9"))) == {*tensorflow(None), "2.17.9"}
    assert tensorflow(None, Span.of(oldest, None)) == tensorflow(None)
    assert tensorflow(Release(span=Span.of("2.18.0", None)))[0] == "2.18.0"
    assert tensorflow(Release(span=Span.of("2.12.0", None)))[0] == oldest
    found = tensorflow(Release(span=Span.of("2.18.0", "2.20.0")), Span.of("2.19.9", "2.20.9"))
    assert {"2.18.0", "2.19.9"} <= {*found}
    assert "2.20.9" not in found


def test_tensorflow_goes_with_keras_2_and_plays_no_part_on_another_backend() -> None:
    assert tensorflow(None, release="2.12.1") == ["2.12.0"]
    assert tensorflow(None, release="2.3.1") == ["None"]
    assert tensorflow(Release(span=Span.of("1.15.0", "2.2")), release="2.3.1") == ["1.15.0", "2.0.0"]
    assert tensorflow(Release(span=Span.of(None, "2.2")), release="2.3.1") == ["None"]
    assert tensorflow(None, release="2.6.0") == ["2.6.0"]
    assert tensorflow(Release.at("2.16.1")) == ["2.16.1"]
    of_its_own = points(Target("tensorflow", Release.at("2.4.1"), "tensorflow"), TABLES)
    assert [str(point.tensorflow) for point in of_its_own] == ["2.4.1"]
    assert {point.tensorflow for point in points(Target("keras", Release.at("3.5.0"), "jax"), TABLES)} == {None}


def test_what_else_a_target_may_be_comes_before_it() -> None:
    older = Target("keras", Release(span=Span.of("3.4.0", "3.6.0")), "jax")
    target = Target("keras", Release.at("3.9.0"), "jax", admits=(older, Target("keras", Release.at("3.9.0"), "jax")))
    found = [str(point.keras) for point in points(target, TABLES)]
    assert found[0] == "3.4.0"
    assert found[-1] == "3.9.0"
    assert found.count("3.9.0") == 1
