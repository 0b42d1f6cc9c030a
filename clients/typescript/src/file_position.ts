/** A position in a file, for Node. */

import { open, readFile, rename } from 'node:fs/promises';

import type { Position } from './client.js';

/** A position in a file, which always holds the old one or the new one. */
export class FilePosition implements Position {
  constructor(private readonly path: string) {}

  async load(): Promise<string | undefined> {
    try {
      return (await readFile(this.path, 'utf8')).trim() || undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Writes a file beside it and renames that. */
  async save(discoveredAt: string): Promise<void> {
    const beside = `${this.path}.new`;
    const file = await open(beside, 'w');
    try {
      await file.writeFile(discoveredAt);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, this.path);
  }
}
