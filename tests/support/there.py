"""What must be there."""

from typing import TypeVar

Value = TypeVar("Value")


def there(value: Value | None) -> Value:
    """The value; none is a failure, where `or 0` would let a missing number pass for one."""
    assert value is not None
    return value
