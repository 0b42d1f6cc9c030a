export { Client, type ClientSettings, type FollowSettings, type Page, type Position } from './client.js';
export * from './errors.js';
export { type Retries } from './retries.js';
export { unwrap, verify, type VerifySettings } from './webhooks.js';
export type * from './types.gen.js';
