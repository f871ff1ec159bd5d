# docker build -t cudnnlint . && docker run --rm -v "$PWD:/code:ro" cudnnlint src/ model.keras
FROM python:3.12-slim AS build
COPY . /source
RUN pip install --no-cache-dir build && python -m build --wheel --outdir /wheels /source

FROM python:3.12-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir /wheels/*.whl && rm -r /wheels && useradd --create-home user
USER user
ENV CUDNNLINT_CACHE_DIR=/tmp/cudnnlint
WORKDIR /code
ENTRYPOINT ["cudnnlint"]
