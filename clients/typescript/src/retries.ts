/** Which calls are repeated, and when. */

import { ConnectionFailed, errorOf, type ApiError } from './errors.js';

/** How often a call is made at most, and the pauses between, in seconds. */
export interface Retries {
  attempts: number;
  firstPause: number;
  longestPause: number;
  /** A `Retry-After` beyond this is not waited for: the error is thrown, and tells it. */
  longestRetryAfter: number;
  /** Waits so many seconds. */
  sleep: (seconds: number) => Promise<void>;
}

export const RETRIES: Retries = {
  attempts: 5,
  firstPause: 0.5,
  longestPause: 8,
  longestRetryAfter: 60,
  sleep: (seconds) => new Promise((done) => setTimeout(done, seconds * 1000)),
};

/** Refused before anything was done. */
const UNTOUCHED = [408, 429];
/** What the runtime calls a connection that was never made: nothing was sent. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/**
 * The body of the first good answer; throws the last failure. What must not happen twice is repeated only when the service
 * has certainly not begun with it.
 */
export async function send(retries: Retries, request: () => Promise<Response>, isRepeatable: boolean): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await once(request);
    if ('body' in outcome) return outcome.body;
    const { failure, isUntouched } = outcome;
    const isRefusal = 'status' in failure;
    const mayRepeat = isUntouched || (isRepeatable && (!isRefusal || failure.status >= 500));
    const asked = isRefusal ? (failure.retryAfter ?? 0) : 0;
    if (!mayRepeat || attempt >= retries.attempts || asked > retries.longestRetryAfter) throw failure;
    await retries.sleep(Math.max(asked, pause(retries, attempt)));
  }
}

type Outcome = { body: unknown } | { failure: ApiError | ConnectionFailed; isUntouched: boolean };

async function once(request: () => Promise<Response>): Promise<Outcome> {
  try {
    const response = await request();
    if (response.ok) return { body: await response.json() };
    return { failure: await errorOf(response), isUntouched: UNTOUCHED.includes(response.status) };
  } catch (error) {
    const cause = error instanceof Error ? (error.cause as { code?: string } | undefined) : undefined;
    const failure = new ConnectionFailed(`${error}${cause ? `: ${cause}` : ''}`, { cause: error });
    return { failure, isUntouched: NEVER_SENT.includes(cause?.code ?? '') };
  }
}

/** The pause after so many attempts: doubled each time, and spread, so that clients do not come in step. */
function pause(retries: Retries, attempt: number): number {
  return Math.min(retries.firstPause * 2 ** (attempt - 1), retries.longestPause) * (0.5 + Math.random() / 2);
}
