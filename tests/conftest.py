"""What all tests share: the hypothesis profile and the flag that rewrites golden files."""

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "suite",
    max_examples=20,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("thorough", parent=settings.get_profile("suite"), max_examples=1000)
settings.load_profile("suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--update-golden`` writes the golden files anew; review what changed in them."""
    parser.addoption("--update-golden", action="store_true", help="write the golden spans anew instead of comparing with them")
