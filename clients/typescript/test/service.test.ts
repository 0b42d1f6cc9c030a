/** The client against the service as it is. `clients/check` starts it. */

import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { FilePosition } from '../src/file_position.js';
import {
  BadRequest,
  Client,
  Conflict,
  NotFound,
  Unauthorized,
  WebhookRejected,
  unwrap,
  type NewCompanyRadar,
  type Update,
} from '../src/index.js';

const SERVICE = setting('RADAR_URL');
const REVIEWS: NewCompanyRadar = { domain: 'example.com', radar_type: 'company_reviews' };
const MENTIONS: NewCompanyRadar = { domain: 'example.com', radar_type: 'company_mentions' };

function setting(name: string): string {
  const value = process.env[name];
  assert.ok(value, `${name} is not set`);
  return value;
}

async function operator(path: string, body: object): Promise<Record<string, string>> {
  const headers = { 'x-operator-key': setting('RADAR_OPERATOR__KEY'), 'content-type': 'application/json' };
  const url = `${setting('RADAR_OPERATOR_URL')}/operator/v1/${path}`;
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return (JSON.parse(text) as { data: Record<string, string> }).data;
}

/** Hands in the review of that number. */
async function push(number: number): Promise<void> {
  const content = { review_content: `Review ${number}.`, review_rating: 4 };
  const target = { radar_type: 'company_reviews', target: { domain: 'example.com' } };
  await operator('findings', { ...target, native_id: `t-${number}`, source: 'provider', content });
}

/** A new account with money. */
async function account(settings: ConstructorParameters<typeof Client>[2] = {}) {
  const limits = { write_per_minute: 10000, read_per_minute: 10000, per_second: 1000 };
  const made = await operator('accounts', { name: 'typescript', limits });
  await operator(`accounts/${made['account_id']}/top-ups`, { amount_usd: '100', payment_ref: crypto.randomUUID() });
  return { client: new Client(SERVICE, made['api_key']!, settings), secret: made['webhook_secret']! };
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

function textOf(update: Update): string | null {
  assert.ok(update.update_type === 'radar_finding' && update.radar_type === 'company_reviews');
  return update.content.review_content;
}

test('every operation has its method', async () => {
  type Document = { paths: Record<string, Record<string, { operationId: string }>> };
  const document = (await (await fetch(`${SERVICE}/openapi.json`)).json()) as Document;
  const names = Object.values(document.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  assert.ok(names.length > 20);
  assert.deepEqual(names.filter((name) => !(name in Client.prototype)), []);
});

test('updates are streamed and exported', async () => {
  const { client } = await account();
  await client.createCompanyRadar(REVIEWS);
  for (const number of [0, 1, 2]) await push(number);
  const seen = [];
  const stop = new AbortController();
  for await (const { cursor } of client.streamUpdates({}, stop.signal)) {
    seen.push(cursor);
    if (seen.length === 2) break;
  }
  for await (const { cursor } of client.streamUpdates({ cursor: seen[0]! })) {
    assert.equal(cursor, seen[1]);
    break;
  }
  assert.equal((await all(client.exportUpdates())).length, 3);
  assert.equal((await all(client.exportUpdates({ format: 'csv' }))).length, 4);
});

test('a radar lives and ends', async () => {
  const { client } = await account();
  const radar = await client.createCompanyRadar(REVIEWS);
  assert.equal((await client.getRadar(radar.radar_id)).domain, 'example.com');
  assert.equal((await client.getRadarHealth(radar.radar_id)).radar_id, radar.radar_id);
  assert.equal((await client.getAccount()).account.active_radars, 1);
  assert.equal((await client.deleteRadar(radar.radar_id)).radar_status, 'inactive');
});

test('lists are sent with commas, and run over all pages', async () => {
  const { client } = await account();
  const bulk = await client.createRadars({ radars: [REVIEWS, MENTIONS, { radar_type: 'industry_new_companies' }] });
  assert.equal(bulk.summary.created, 3);
  assert.equal((await all(client.listRadars({ limit: 1 }))).length, 3);
  const two = await all(client.listRadars({ radar_type: ['company_reviews', 'company_mentions'] }));
  assert.deepEqual(two.map((radar) => radar.radar_type).sort(), ['company_mentions', 'company_reviews']);
  for (let number = 10; number < 15; number += 1) await push(number);
  const updates = await all(client.listUpdates({ limit: 2 }));
  assert.deepEqual(updates.map(textOf), [10, 11, 12, 13, 14].map((number) => `Review ${number}.`));
});

test('refusals have their classes', async () => {
  const { client } = await account();
  const { radar_id } = await client.createCompanyRadar(REVIEWS);
  const conflict = await client.createCompanyRadar(REVIEWS).catch((error: unknown) => error);
  assert.ok(conflict instanceof Conflict && conflict.errors[0]!.reason.endsWith(radar_id));
  assert.ok(conflict.errorId && conflict.message.includes(conflict.errorId));
  await assert.rejects(client.getRadar('00000000-0000-7000-8000-000000000000'), NotFound);
  await assert.rejects(all(client.listUpdates({ limit: 1000 })), BadRequest);
  await assert.rejects(new Client(SERVICE, 'wrong').getAccount(), Unauthorized);
});

test('a create whose answer was lost creates once', async () => {
  let left = 2;
  const losing: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (left === 0) return answer;
    left -= 1;
    await answer.body?.cancel();
    throw new TypeError('the answer was lost');
  };
  const { client } = await account({ fetch: losing, retries: { firstPause: 0.01 } });
  const radar = await client.createCompanyRadar(REVIEWS);
  assert.deepEqual((await all(client.listRadars())).map((made) => made.radar_id), [radar.radar_id]);
});

test('updates are followed over restarts', async () => {
  const { client } = await account();
  await client.createCompanyRadar(REVIEWS);
  const file = join(await mkdtemp(join(tmpdir(), 'radar-client-')), 'position');
  const seen: (string | null)[] = [];
  const followUntil = (count: number) => {
    const stop = new AbortController();
    const handle = (update: Update) => void (seen.push(textOf(update)) === count && stop.abort());
    return client.follow(handle, new FilePosition(file), { interval: 0.05, signal: stop.signal, query: { limit: 2 } });
  };
  const fail = () => {
    throw new RangeError();
  };
  for (let number = 20; number < 25; number += 1) await push(number);
  await followUntil(3);
  await assert.rejects(client.follow(fail, new FilePosition(file)), RangeError);
  const rest = followUntil(6);
  await push(25);
  await rest;
  assert.deepEqual(seen, [20, 21, 22, 23, 24, 25].map((number) => `Review ${number}.`));
});

test('what is pushed is unwrapped', async (context) => {
  const { client, secret } = await account();
  const server = createServer();
  context.after(() => server.close());
  const received = new Promise<{ body: Uint8Array; headers: IncomingHttpHeaders }>((done) => {
    server.on('request', async (request, response) => {
      const pieces = await request.toArray();
      response.writeHead(204).end();
      done({ body: Buffer.concat(pieces as Buffer[]), headers: request.headers });
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await client.createCompanyRadar({ ...REVIEWS, webhook_url: `http://127.0.0.1:${port}/` });
  await push(30);
  const { body, headers } = await received;
  const [pulled] = await all(client.listUpdates());
  assert.deepEqual(await unwrap(body, headers, secret), pulled);
  assert.equal((await client.getWebhookSecret()).webhook_secret, secret);
  await assert.rejects(unwrap(Buffer.concat([body, Buffer.from(' ')]), headers, secret), WebhookRejected);
});
