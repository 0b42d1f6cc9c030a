/** One method for each operation of the service's document, under its name. */

import { ApiError, ConnectionFailed, errorOf } from './errors.js';
import { RETRIES, send, type Retries } from './retries.js';
import type * as types from './types.gen.js';

export interface ClientSettings {
  retries?: Partial<Retries>;
  /** How long a call may take, in seconds. */
  timeout?: number;
  /** What makes the requests, in the place of the runtime's own. */
  fetch?: typeof fetch;
}

/** Keeps the `discovered_at` of the last update that was handled. */
export interface Position {
  /** The position, or nothing: then everything that the service keeps is handed over first. */
  load(): Promise<string | undefined> | string | undefined;
  /** Called after each update that was handled. */
  save(discoveredAt: string): Promise<void> | void;
}

export interface FollowSettings {
  /** The pause between two looks, in seconds. */
  interval?: number;
  /** Ends it once the update in hand was handled and saved. */
  signal?: AbortSignal;
  query?: Omit<NonNullable<types.ListUpdatesData['query']>, 'cursor'>;
}

/** A page of a list, as the service answers it. */
export interface Page {
  has_more: boolean;
  next_cursor: string | null;
}

/** A value that a create may carry; one is made where none is given, and all tries of a call carry the same. */
interface Creation {
  idempotencyKey?: string;
}

type Query = Record<string, string | number | string[] | undefined>;
type Data<Answer extends { data: unknown }> = Answer['data'];

/** What lasts long enough to be worth waiting for while updates are followed. */
const PASSES = [408, 429];

/** A client of the service at `baseUrl` for the account of `apiKey`. */
export class Client {
  readonly #baseUrl: string;
  readonly #apiKey: string;
  readonly #retries: Retries;
  readonly #timeout: number;
  readonly #fetch: typeof fetch;

  constructor(baseUrl: string, apiKey: string, settings: ClientSettings = {}) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#apiKey = apiKey;
    this.#retries = { ...RETRIES, ...settings.retries };
    this.#timeout = settings.timeout ?? 60;
    this.#fetch = settings.fetch ?? ((input, init) => fetch(input, init));
  }

  /** Usage of a month, and the balance. */
  getAccount(query: types.GetAccountData['query'] = {}) {
    return this.#data<types.GetAccountResponse>('GET', '/v1/account', { query });
  }

  /** For what the account paid in a month. */
  getSpend(query: types.GetSpendData['query'] = {}) {
    return this.#data<types.GetSpendResponse>('GET', '/v1/account/spend', { query });
  }

  /** What can be watched, by which sources, and what it costs. */
  listRadarTypes() {
    return this.#data<types.ListRadarTypesResponse>('GET', '/v1/radar-types');
  }

  /** Watches a company. */
  createCompanyRadar(radar: types.NewCompanyRadar, creation: Creation = {}) {
    return this.#data<types.CreateCompanyRadarResponse>('POST', '/v1/radars/companies', keyed(radar, creation));
  }

  /** Watches a person. */
  createContactRadar(radar: types.NewContactRadar, creation: Creation = {}) {
    return this.#data<types.CreateContactRadarResponse>('POST', '/v1/radars/contacts', keyed(radar, creation));
  }

  /** Watches an industry. */
  createIndustryRadar(radar: types.NewIndustryRadar, creation: Creation = {}) {
    return this.#data<types.CreateIndustryRadarResponse>('POST', '/v1/radars/industry', keyed(radar, creation));
  }

  /** Creates up to a hundred radars; `results` tells what became of each. Throws when none was created. */
  createRadars(bulk: types.NewBulk, creation: Creation = {}) {
    return this.#call<types.CreateRadarsResponse>('POST', '/v1/radars/bulk', keyed(bulk, creation));
  }

  /** What a radar would find, without creating it. */
  previewRadar(radar: types.PreviewRadarData['body']) {
    return this.#data<types.PreviewRadarResponse>('POST', '/v1/radars/preview', { body: radar });
  }

  /** Every radar, the newest first; pages are asked for as they are needed. */
  listRadars(query: types.ListRadarsData['query'] = {}) {
    return this.#pages('/v1/radars', query, (page: types.ListRadarsResponse) => page.data);
  }

  /** One radar. */
  getRadar(radarId: string) {
    return this.#data<types.GetRadarResponse>('GET', `/v1/radars/${part(radarId)}`);
  }

  /** Ends a radar, for good. */
  deleteRadar(radarId: string) {
    return this.#data<types.DeleteRadarResponse>('DELETE', `/v1/radars/${part(radarId)}`);
  }

  /** How well a radar can see. */
  getRadarHealth(radarId: string) {
    return this.#data<types.GetRadarHealthResponse>('GET', `/v1/radars/${part(radarId)}/health`);
  }

  /** The updates that are there now, in the order of their publication; pages are asked for as they are needed. */
  listUpdates(query: types.ListUpdatesData['query'] = {}) {
    return this.#pages('/v1/updates', query, (page: types.ListUpdatesResponse) => page.updates);
  }

  /**
   * Updates as they are published, each with the `cursor` from which a next stream goes on, until it is cut off or the signal
   * is given.
   */
  async *streamUpdates(
    query: types.StreamUpdatesData['query'] = {},
    signal?: AbortSignal,
  ): AsyncGenerator<{ cursor: string; update: types.Update }> {
    let cursor = '';
    for await (const line of this.#lines('/v1/updates/stream', query, signal)) {
      if (line.startsWith('id:')) cursor = line.slice(3).trim();
      if (line.startsWith('data:')) yield { cursor, update: JSON.parse(line.slice(5)) as types.Update };
    }
  }

  /** The lines of a file of any length; they are read as they come. */
  exportUpdates(query: types.ExportUpdatesData['query'] = {}, signal?: AbortSignal): AsyncGenerator<string> {
    return this.#lines('/v1/updates/export', query, signal);
  }

  /**
   * Hands over every update once, in order, those of now and those to come, until the signal is given.
   *
   * The position is saved when `handle` is done. What `handle` throws ends this and saves nothing, so that the update comes
   * again. Outages of the service are waited for. A position of your own, saved in the transaction that handles the
   * update, makes even a crash repeat nothing.
   */
  async follow(
    handle: (update: types.Update) => Promise<unknown> | unknown,
    position: Position,
    { interval = 5, signal, query = {} }: FollowSettings = {},
  ): Promise<void> {
    let since = (await position.load()) ?? query.since;
    while (!signal?.aborted) {
      // Instants of publication rise strictly, so the last one handled is all that there is to remember.
      const look = { limit: 100, ...query, since };
      const page = await this.#call<types.ListUpdatesResponse>('GET', '/v1/updates', { query: look }).catch(passing);
      if (page instanceof Error) {
        await rest(Math.max(interval, page instanceof ApiError ? (page.retryAfter ?? 0) : 0), signal);
        continue;
      }
      for (const update of page.updates) {
        await handle(update);
        since = update.discovered_at;
        await position.save(since);
        if (signal?.aborted) return;
      }
      if (!page.has_more) await rest(interval, signal);
    }
  }

  /** Sends an unsigned sample to an address. */
  testWebhook(sample: types.WebhookTest) {
    return this.#data<types.TestWebhookResponse>('POST', '/v1/webhooks/test', { body: sample, isOnce: true });
  }

  /** JSON Schemas of what is pushed. */
  getPayloadSchemas(query: types.GetPayloadSchemasData['query'] = {}) {
    return this.#data<types.GetPayloadSchemasResponse>('GET', '/v1/webhooks/schema', { query });
  }

  /** Every delivery, page by page. */
  listDeliveries(query: types.ListDeliveriesData['query'] = {}) {
    return this.#pages('/v1/webhooks/deliveries', query, (page: types.ListDeliveriesResponse) => page.data);
  }

  /** What a finding stands on. */
  getEvidence(updateId: string) {
    return this.#data<types.GetEvidenceResponse>('GET', `/v1/updates/${part(updateId)}/evidence`);
  }

  /** Says whether a finding was of use; the latest word counts. */
  giveFeedback(updateId: string, feedback: types.NewFeedback) {
    const path = `/v1/updates/${part(updateId)}/feedback`;
    return this.#data<types.GiveFeedbackResponse>('POST', path, { body: feedback });
  }

  /** A delivery with its attempts. */
  getDelivery(updateId: string) {
    return this.#data<types.GetDeliveryResponse>('GET', `/v1/webhooks/deliveries/${part(updateId)}`);
  }

  /** Sends an update once more. */
  resendDelivery(updateId: string) {
    const path = `/v1/webhooks/deliveries/${part(updateId)}/resend`;
    return this.#data<types.ResendDeliveryResponse>('POST', path, { isOnce: true });
  }

  /** Sends again what failed in a range of time. */
  recoverDeliveries(recovery: types.NewRecovery) {
    return this.#call<types.RecoverDeliveriesResponse>('POST', '/v1/webhooks/recover', { body: recovery, isOnce: true });
  }

  /** How far a recovery is. */
  getRecovery(recoveryId: string) {
    return this.#data<types.GetRecoveryResponse>('GET', `/v1/webhooks/recover/${part(recoveryId)}`);
  }

  /** Every address that is pushed to, page by page. */
  listEndpoints(query: types.ListEndpointsData['query'] = {}) {
    return this.#pages('/v1/webhooks/endpoints', query, (page: types.ListEndpointsResponse) => page.data);
  }

  /** Enables an address and releases what was held for it. */
  enableEndpoint(endpointId: string) {
    return this.#data<types.EnableEndpointResponse>('POST', `/v1/webhooks/endpoints/${part(endpointId)}/enable`);
  }

  /** The secrets that sign what is pushed. */
  getWebhookSecret() {
    return this.#data<types.GetWebhookSecretResponse>('GET', '/v1/webhooks/secret');
  }

  /** Makes a new secret; the old one signs as well for a while. */
  rotateWebhookSecret() {
    return this.#data<types.RotateWebhookSecretResponse>('POST', '/v1/webhooks/secret/rotate', { isOnce: true });
  }

  /** Where alerts and digests are sent. */
  getEmail() {
    return this.#data<types.GetEmailResponse>('GET', '/v1/account/email');
  }

  /** Sets where alerts and digests are sent, once it is confirmed. */
  setEmail(email: types.SetEmailData['body']) {
    return this.#data<types.SetEmailResponse>('PUT', '/v1/account/email', { body: email });
  }

  /** Stops alerts and digests by mail. */
  deleteEmail() {
    return this.#data<types.DeleteEmailResponse>('DELETE', '/v1/account/email');
  }

  /** Makes a secret address for feed readers, which is shown once. */
  createFeedAddress(address: types.CreateFeedAddressData['body']) {
    return this.#data<types.CreateFeedAddressResponse>('POST', '/v1/feeds', { body: address, isOnce: true });
  }

  /** The addresses for feed readers that are in use. */
  listFeedAddresses() {
    return this.#data<types.ListFeedAddressesResponse>('GET', '/v1/feeds');
  }

  /** Replaces the secret part of an address. */
  rotateFeedAddress(feedId: string) {
    return this.#data<types.RotateFeedAddressResponse>('POST', `/v1/feeds/${part(feedId)}/rotate`, { isOnce: true });
  }

  /** Ends an address. */
  deleteFeedAddress(feedId: string) {
    return this.#data<types.DeleteFeedAddressResponse>('DELETE', `/v1/feeds/${part(feedId)}`);
  }

  /** The newest updates as Atom. */
  async readAtomFeed(token: string): Promise<string> {
    let text = '';
    for await (const line of this.#lines(`/v1/feeds/${part(token)}.atom`, {})) text += `${line}\n`;
    return text;
  }

  /** The newest updates as JSON Feed. */
  readJsonFeed(token: string): Promise<Record<string, unknown>> {
    return this.#call<Record<string, unknown>>('GET', `/v1/feeds/${part(token)}.json`);
  }

  /** The keys of the account. */
  listApiKeys() {
    return this.#data<types.ListApiKeysResponse>('GET', '/v1/api-keys');
  }

  /** Makes a key, which is shown this once. */
  createApiKey(key: types.NewApiKey) {
    return this.#data<types.CreateApiKeyResponse>('POST', '/v1/api-keys', { body: key, isOnce: true });
  }

  /** Ends a key. */
  revokeApiKey(keyId: string) {
    return this.#data<types.RevokeApiKeyResponse>('DELETE', `/v1/api-keys/${part(keyId)}`);
  }

  async *#pages<Answer extends Page, Item>(path: string, query: Query, items: (page: Answer) => Item[]): AsyncGenerator<Item> {
    for (let cursor = query['cursor']; ; ) {
      const page: Answer = await this.#call('GET', path, { query: { ...query, cursor } });
      yield* items(page);
      if (!page.has_more || page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  async *#lines(path: string, query: Query, signal?: AbortSignal): AsyncGenerator<string> {
    const headers = { 'x-api-key': this.#apiKey };
    const response = await this.#fetch(this.#url(path, query), { headers, ...(signal ? { signal } : {}) });
    if (!response.ok || !response.body) throw await errorOf(response);
    const [reader, decoder] = [response.body.getReader(), new TextDecoder()];
    let rest = '';
    try {
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        const lines = (rest + decoder.decode(read.value, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        yield* lines;
      }
      if (rest) yield rest;
    } finally {
      // Who looks no further closes the connection.
      await reader.cancel();
    }
  }

  #url(path: string, query: Query): string {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    // `String` joins a list with commas.
    const params = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return `${this.#baseUrl}${path}${params && `?${params}`}`;
  }

  async #data<Answer extends { data: unknown }>(method: string, path: string, call: Call = {}): Promise<Data<Answer>> {
    return (await this.#call<Answer>(method, path, call)).data;
  }

  async #call<Answer>(method: string, path: string, { query = {}, body, key, isOnce = false }: Call = {}): Promise<Answer> {
    const headers: Record<string, string> = { 'x-api-key': this.#apiKey };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (key !== undefined) headers['idempotency-key'] = key;
    const url = this.#url(path, query);
    const request = () => {
      const signal = AbortSignal.timeout(this.#timeout * 1000);
      return this.#fetch(url, { method, headers, signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    };
    return (await send(this.#retries, request, !isOnce)) as Answer;
  }
}

interface Call {
  query?: Query;
  body?: unknown;
  /** The idempotency key. */
  key?: string;
  /** Whether it would do something else, or more, when it is done twice. */
  isOnce?: boolean;
}

function keyed(body: unknown, { idempotencyKey = crypto.randomUUID() }: Creation): Call {
  return { body, key: idempotencyKey };
}

/** One part of a path. */
function part(identifier: string): string {
  return encodeURIComponent(identifier);
}

/** A failure that goes by; throws any other. */
function passing(error: unknown): ApiError | ConnectionFailed {
  const isPassing = error instanceof ApiError && (error.status >= 500 || PASSES.includes(error.status));
  if (isPassing || error instanceof ConnectionFailed) return error;
  throw error;
}

/** Waits so many seconds, or until the signal is given. */
function rest(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, seconds * 1000);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
