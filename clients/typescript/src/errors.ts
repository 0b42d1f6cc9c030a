/** What a call can fail with: one class for each status of the service, and those of calls without an answer. */

import type { FieldReason } from './types.gen.js';

/** Everything that this package throws by itself. */
export class RadarError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** There was no whole answer, so whether the request was carried out is not known. */
export class ConnectionFailed extends RadarError {}

/** What was received was not signed with the secret, or not lately: answer it with 400. */
export class WebhookRejected extends RadarError {}

/** The service refused. */
export class ApiError extends RadarError {
  readonly status: number;
  /** The whole error body. That of a bulk none of whose items was created has `summary` and `results`. */
  readonly body: Record<string, unknown>;
  /** Each offending field, with the reason. */
  readonly errors: FieldReason[];
  /** What to quote when you ask the operators. The service's own limits have none. */
  readonly errorId: string | undefined;
  /** What the service calls the request in its log, or what a proxy in between called it. */
  readonly requestId: string | undefined;
  /** How long to wait, in seconds, where the service says so. */
  readonly retryAfter: number | undefined;

  constructor(response: Response, body: Record<string, unknown>) {
    const errors = (body['errors'] ?? []) as FieldReason[];
    const errorId = body['error_id'] as string | undefined;
    const requestId = response.headers.get('x-request-id') ?? undefined;
    const reasons = errors.map(({ field, reason }) => `${field}: ${reason}`).join('; ');
    const details = [response.status, errorId && `error_id ${errorId}`, requestId && `request ${requestId}`];
    super(`${reasons || body['message'] || response.statusText} (${details.filter(Boolean).join(', ')})`);
    this.status = response.status;
    this.body = body;
    this.errors = errors;
    this.errorId = errorId;
    this.requestId = requestId;
    this.retryAfter = retryAfter(response);
  }
}

/** 400. */
export class BadRequest extends ApiError {}
/** 401. */
export class Unauthorized extends ApiError {}
/** 402: top up, then call again. */
export class InsufficientBalance extends ApiError {}
/** 403: the key lacks the scope that the call needs. */
export class Forbidden extends ApiError {}
/** 404. */
export class NotFound extends ApiError {}
/** 405. */
export class MethodNotAllowed extends ApiError {}
/** 408. */
export class RequestTimeout extends ApiError {}
/** 409. Of a radar that is there already, `errors[0].reason` is its identifier. */
export class Conflict extends ApiError {}
/** 429. */
export class RateLimited extends ApiError {}
/** 500. */
export class InternalError extends ApiError {}
/** 503. */
export class Unavailable extends ApiError {}

const BY_STATUS: Record<number, typeof ApiError> = {
  400: BadRequest,
  401: Unauthorized,
  402: InsufficientBalance,
  403: Forbidden,
  404: NotFound,
  405: MethodNotAllowed,
  408: RequestTimeout,
  409: Conflict,
  429: RateLimited,
  500: InternalError,
  503: Unavailable,
};

/** The error that `response` is. A proxy may have answered something else than a JSON object. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  return new (BY_STATUS[response.status] ?? ApiError)(response, fields);
}

/** The seconds that `Retry-After` asks for, be it a number or a date. */
function retryAfter(response: Response): number | undefined {
  const value = response.headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const instant = Date.parse(value);
  return Number.isNaN(instant) ? undefined : Math.max(instant - Date.now(), 0) / 1000;
}
