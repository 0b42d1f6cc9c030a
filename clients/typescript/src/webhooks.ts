/** Verifies what is pushed to a `webhook_url`, after Standard Webhooks 1.0.0. */

import { WebhookRejected } from './errors.js';
import type { Update } from './types.gen.js';

export interface VerifySettings {
  /** How old, or how far ahead of this machine's clock, a message may be, in seconds. */
  tolerance?: number;
  /** Now, in seconds since 1970. */
  now?: number;
}

/** Headers as `fetch`, Node's `http` and most frameworks have them. */
export type GivenHeaders = Headers | Record<string, string | string[] | undefined>;

/**
 * The update in a request to your `webhook_url`; throws `WebhookRejected` when the account did not sign it.
 *
 * `body` is what came, byte for byte: JSON that was read and written again has another signature. The same update may come
 * more than once, so take each `update_id` once.
 */
export async function unwrap(
  body: string | Uint8Array,
  headers: GivenHeaders,
  secret: string,
  settings: VerifySettings = {},
): Promise<Update> {
  await verify(body, headers, secret, settings);
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as Update;
}

/** Throws `WebhookRejected` unless `secret` signed `body` lately. Also for alerts, which carry no update. */
export async function verify(
  body: string | Uint8Array,
  headers: GivenHeaders,
  secret: string,
  { tolerance = 300, now = Date.now() / 1000 }: VerifySettings = {},
): Promise<void> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = header(headers, name);
    if (value === undefined) throw new WebhookRejected(`the header ${name} is missing`);
    return value;
  }) as [string, string, string];
  if (!/^\d+$/.test(timestamp)) throw new WebhookRejected('webhook-timestamp is no number');
  if (Math.abs(now - Number(timestamp)) > tolerance) throw new WebhookRejected('webhook-timestamp is too far from now');
  const key = await crypto.subtle.importKey('raw', bytesOf(secretOf(secret)), KIND, false, ['verify']);
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), typeof body === 'string' ? new TextEncoder().encode(body) : body);
  // While a secret is rotated there is one signature for each of the two.
  for (const signature of signatures.split(' ')) {
    const [version, text] = signature.split(',', 2);
    const given = version === 'v1' && text ? decoded(text) : undefined;
    if (given && (await crypto.subtle.verify('HMAC', key, given, signed))) return;
  }
  throw new WebhookRejected('no signature is right');
}

const KIND = { name: 'HMAC', hash: 'SHA-256' };

function secretOf(secret: string): string {
  return secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : secret;
}

function header(headers: GivenHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1];
  return Array.isArray(value) ? value[0] : value;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** What a stranger sent as base64 may be none. */
function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return bytesOf(base64);
  } catch {
    return undefined;
  }
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}
