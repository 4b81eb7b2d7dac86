import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { textHash, textHashOf } from '../memories/text-hash.ts';
import { Pace } from '../search/matching/pace.ts';
import type { PillarRole } from '../templates.ts';
import { foldedKey, importKeyOf, pathKey } from './parse/draft-keys.ts';
import type { MemoryDraft } from './parse/types.ts';

/** `importedHash`: of the text that the last import under its key brought; null where none did, or before this was remembered. */
export type KnownMemory = {
  id: string;
  role: PillarRole;
  importKey: string | null;
  textHash: Uint8Array;
  importedHash: Uint8Array | null;
};

/** Whether two hashes are of one text. */
export function isSameHash(a: Uint8Array | null, b: Uint8Array): boolean {
  return a !== null && Buffer.compare(a, b) === 0;
}

/** The live Memories of a Space by the keys that imports recognise, and which draft of this import each was matched with: one at most. */
export class KnownMemories {
  readonly #byKey = new Map<string, KnownMemory>();
  readonly #byFolded = new Map<string, KnownMemory[]>();
  readonly #broughtBy = new Map<string, { path: string; hash: Uint8Array }>();

  static async read(ctx: Context<AccountActor>, spaceId: string): Promise<KnownMemories> {
    // A Space may hold more text than a process should: the database says by a hash what each one says.
    const rows = await ctx.kysely
      .selectFrom('Memory')
      .select(['id', 'role', 'importKey', 'importedHash', textHashOf('Memory').as('textHash')])
      .where('spaceId', '=', spaceId)
      .where('accountId', '=', ctx.actor.accountId)
      .where('deletedAt', 'is', null)
      .orderBy('id')
      .execute();
    return KnownMemories.of(rows);
  }

  /** Other work gets its turn in between: a Space may hold a hundred thousand. */
  static async of(memories: Iterable<KnownMemory>): Promise<KnownMemories> {
    const known = new KnownMemories();
    const pace = new Pace();
    for (const memory of memories) {
      known.add(memory);
      if (pace.due()) await pace.rest();
    }
    return known;
  }

  add(memory: KnownMemory): void {
    this.#byKey.set(`id:${memory.id}`, memory);
    if (memory.importKey === null) return;
    this.#byKey.set(memory.importKey, memory);
    const folded = foldedKey(memory.importKey);
    const alike = this.#byFolded.get(folded);
    if (alike) alike.push(memory);
    else this.#byFolded.set(folded, [memory]);
  }

  /**
   * The Memory that a draft updates: by its key, else, where no other draft of the import took it, by a former key, or by its path whatever
   * its case and the encoding of its accents, one with the same text first.
   */
  find(draft: MemoryDraft): KnownMemory | undefined {
    const key = importKeyOf(draft);
    const exact = this.#byKey.get(key);
    if (exact) return exact;
    const isFree = (one: KnownMemory | undefined) => one !== undefined && !this.#broughtBy.has(one.id);
    const former = draft.formerKeys?.map((one) => this.#byKey.get(one)).find(isFree);
    if (former || key !== pathKey(draft.key) || !draft.hasOwnPath) return former;
    const alike = (this.#byFolded.get(foldedKey(key)) ?? []).filter(isFree);
    const hash = textHash(draft);
    return alike.find((one) => isSameHash(one.importedHash ?? one.textHash, hash)) ?? alike[0];
  }

  /**
   * Marks a Memory as written by this draft. True when another draft of the import had already brought the same text. Errors: `conflict` where
   * that draft brought another text, which is not overwritten.
   */
  markBrought({ id }: Pick<KnownMemory, 'id'>, draft: MemoryDraft): boolean {
    const hash = textHash(draft);
    const before = this.#broughtBy.get(id);
    if (!before) this.#broughtBy.set(id, { path: draft.key, hash });
    else if (!isSameHash(before.hash, hash))
      throw new ServiceError('conflict', {
        message: `C’est la même mémoire que «\u00a0${before.path}\u00a0», importé juste avant avec un autre texte\u00a0: seul le premier est écrit. Importez ce fichier à part s’il doit le remplacer.`,
      });
    return before !== undefined;
  }

  /** Stores the key of a draft on its Memory: a renamed file is recognised by its new name from now on. */
  async rename(ctx: Context<AccountActor>, memory: KnownMemory, draft: MemoryDraft): Promise<void> {
    const importKey = importKeyOf(draft);
    if (draft.id !== null || memory.importKey === importKey) return;
    await ctx.kysely
      .updateTable('Memory')
      .set({ importKey })
      .where('id', '=', memory.id)
      .where('accountId', '=', ctx.actor.accountId)
      .where('deletedAt', 'is', null)
      .execute();
    if (memory.importKey !== null) this.#byKey.delete(memory.importKey);
    memory.importKey = importKey;
    this.#byKey.set(importKey, memory);
  }
}
