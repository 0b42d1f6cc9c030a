"""Client of the radar monitoring service."""

from . import types
from .client import Client
from .errors import (
    ApiError,
    BadRequest,
    Conflict,
    ConnectionFailed,
    Forbidden,
    InsufficientBalance,
    InternalError,
    MethodNotAllowed,
    NotFound,
    RadarError,
    RateLimited,
    RequestTimeout,
    Unauthorized,
    Unavailable,
    WebhookRejected,
)
from .follow import FilePosition, Position
from .retries import Retries
from .webhooks import unwrap, verify

__all__ = [
    "ApiError",
    "BadRequest",
    "Client",
    "Conflict",
    "ConnectionFailed",
    "FilePosition",
    "Forbidden",
    "InsufficientBalance",
    "InternalError",
    "MethodNotAllowed",
    "NotFound",
    "Position",
    "RadarError",
    "RateLimited",
    "RequestTimeout",
    "Retries",
    "Unauthorized",
    "Unavailable",
    "WebhookRejected",
    "types",
    "unwrap",
    "verify",
]
