/** What needs no service: which calls are repeated, and which signatures are right. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, ConnectionFailed, InternalError, RateLimited, Unauthorized, Unavailable, WebhookRejected, unwrap } from '../src/index.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = '{"test": 2432232314}';
const HEADERS = {
  'Webhook-Id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'Webhook-Timestamp': '1614265330',
  'Webhook-Signature': 'v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const ACCOUNT = { data: { balance_remaining_usd: 1 } };

/** A client that is answered these one after the other, what it asks, and the pauses that it makes. */
function clientOf(...answers: (Response | Error)[]) {
  const asked: RequestInit[] = [];
  const urls: string[] = [];
  const pauses: number[] = [];
  const answer: typeof fetch = async (url, init = {}) => {
    urls.push(String(url));
    const given = answers[asked.push(init) - 1];
    if (given instanceof Response) return given;
    throw given;
  };
  const sleep = async (seconds: number) => void pauses.push(seconds);
  const client = new Client('http://radar.example', 'key', { fetch: answer, retries: { sleep } });
  return { client, asked, urls, pauses };
}

function refused(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers });
}

function lost(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}

test('what may succeed later is repeated', async () => {
  const { client, asked, pauses } = clientOf(refused(408), refused(502), refused(503), lost('ECONNRESET'), Response.json(ACCOUNT));
  assert.equal((await client.getAccount()).balance_remaining_usd, 1);
  assert.equal(asked.length, 5);
  const bounds = [0.5, 1, 2, 4];
  assert.ok(pauses.length === 4 && pauses.every((pause, index) => pause >= bounds[index]! / 2 && pause <= bounds[index]!));
});

test('Retry-After is honoured', async () => {
  const date = new Date(Date.now() + 40_000).toUTCString();
  const limited = [refused(429, { 'retry-after': '7' }), refused(429, { 'retry-after': date })];
  const { client, pauses } = clientOf(...limited, Response.json(ACCOUNT));
  await client.getAccount();
  assert.equal(pauses[0], 7);
  assert.ok(pauses[1]! > 35 && pauses[1]! <= 40);
});

test('a long wait is left to the caller', async () => {
  const { client, asked } = clientOf(refused(429, { 'retry-after': '360' }));
  const limited = await client.previewRadar({ radar_type: 'industry_new_companies' }).catch((error: unknown) => error);
  assert.ok(limited instanceof RateLimited);
  assert.deepEqual([limited.retryAfter, asked.length], [360, 1]);
});

test('it gives up at last', async () => {
  const { client, asked } = clientOf(...Array.from({ length: 5 }, () => refused(503, { 'x-request-id': 'r1' })));
  const unavailable = await client.getAccount().catch((error: unknown) => error);
  assert.ok(unavailable instanceof Unavailable);
  assert.deepEqual([unavailable.requestId, asked.length], ['r1', 5]);
});

for (const [answer, kind] of [[refused(500), InternalError], [lost('ECONNRESET'), ConnectionFailed]] as const) {
  test(`what must not happen twice is not repeated after ${kind.name}`, async () => {
    const { client, asked } = clientOf(answer);
    await assert.rejects(client.rotateWebhookSecret(), kind);
    assert.equal(asked.length, 1);
  });
}

for (const answer of [refused(429), lost('ECONNREFUSED')]) {
  test(`but after ${answer instanceof Response ? answer.status : 'a connection that was refused'}`, async () => {
    const { client, asked } = clientOf(answer, Response.json({ data: {} }));
    await client.rotateWebhookSecret();
    assert.equal(asked.length, 2);
  });
}

test('all tries of a create carry one key', async () => {
  const { client, asked } = clientOf(refused(500), Response.json({ data: {} }), Response.json({ data: {} }));
  await client.createIndustryRadar({ radar_type: 'industry_new_companies' });
  await client.createIndustryRadar({ radar_type: 'industry_new_companies' });
  const keys = asked.map(({ headers }) => new Headers(headers).get('idempotency-key'));
  assert.ok(keys[0] && keys[0] === keys[1] && keys[0] !== keys[2]);
});

test('following outlasts an outage', async () => {
  const page = { updates: [{ update_id: 'u2', discovered_at: 'second' }], has_more: false, next_cursor: null };
  const outage = Array.from({ length: 6 }, () => refused(503));
  const { client, urls } = clientOf(...outage, Response.json(page), refused(401));
  let kept = 'first';
  const position = { load: () => kept, save: (discoveredAt: string) => void (kept = discoveredAt) };
  const stop = new AbortController();
  await client.follow(() => stop.abort(), position, { interval: 0, signal: stop.signal });
  assert.equal(kept, 'second');
  assert.deepEqual([...new Set(urls)], ['http://radar.example/v1/updates?limit=100&since=first']);
  await assert.rejects(client.follow(() => {}, position), Unauthorized);
});

test('the known signature is right', async () => {
  assert.deepEqual(await unwrap(BODY, HEADERS, SECRET, { now: 1614265330 }), { test: 2432232314 });
});

for (const [spoilt, headers] of Object.entries({
  'another time': { ...HEADERS, 'Webhook-Timestamp': '1614265331' },
  'no time': { ...HEADERS, 'Webhook-Timestamp': 'soon' },
  'another message': { ...HEADERS, 'Webhook-Id': 'another' },
  'another signature': { ...HEADERS, 'Webhook-Signature': 'v1,AAAA' },
  'no base64': { ...HEADERS, 'Webhook-Signature': 'v1,~' },
  'another kind': { ...HEADERS, 'Webhook-Signature': 'v1a,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' },
  'a missing header': { 'Webhook-Id': HEADERS['Webhook-Id'] },
})) {
  test(`${spoilt} is not`, async () => {
    await assert.rejects(unwrap(BODY, headers, SECRET, { now: 1614265330 }), WebhookRejected);
  });
}

for (const now of [1614265330 - 301, 1614265330 + 301]) {
  test(`the known signature is not right at ${now}`, async () => {
    await assert.rejects(unwrap(BODY, HEADERS, SECRET, { now }), WebhookRejected);
  });
}
