import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';
import { outliveCuts } from '#lib/db/outlive-cuts.ts';
import { runScript, type ScriptOptions } from './run-script.ts';
import { readSchema } from './schema-files.ts';

/** Type numbers of PostgreSQL's catalogue: "char" and "char"[]. */
const CHAR = 18;
const CHAR_ARRAY = 1002;
const NO_FILTER = { externalTables: [], externalEnums: [] };

type EngineModule = typeof import('@prisma/schema-engine-wasm/schema_engine_bg');
let loading: Promise<EngineModule> | undefined;
let panic: string | undefined;

/** Prisma's schema engine as WebAssembly: the npm package's own entry needs a bundler, so its memory is wired by hand. */
function loadEngine(): Promise<EngineModule> {
  loading ??= (async () => {
    const engine = await import('@prisma/schema-engine-wasm/schema_engine_bg');
    const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
    const bytes = await readFile(path.join(path.dirname(entry), 'schema_engine_bg.wasm'));
    // Where the engine leaves the message of a panic, which otherwise surfaces as « unreachable ».
    const holder = globalThis as { PRISMA_WASM_PANIC_REGISTRY?: { set_message(message: string): void } };
    holder.PRISMA_WASM_PANIC_REGISTRY ??= {
      set_message: (message) => {
        panic = message;
      },
    };
    const functions: Record<string, unknown> = { ...engine };
    // The engine leaves a ten-second timer behind, which would keep every script that migrates waiting for it.
    for (const name of Object.keys(functions).filter((key) => key.startsWith('__wbg_setTimeout_')))
      functions[name] = (callback: () => void, delayMs: number) => setTimeout(callback, delayMs).unref();
    const imports = { './schema_engine_bg.js': functions as WebAssembly.ModuleImports };
    const { instance } = await WebAssembly.instantiate(bytes, imports);
    engine.__wbg_set_wasm(instance.exports);
    (instance.exports.__wbindgen_start as () => void)();
    return engine;
  })();
  return loading;
}

/**
 * The adapter's own scratch database is not used: given an address, it would play the migrations on the database itself.
 * Here it is a database of its own, dropped at the end with everything that was opened.
 */
function adapterFor(
  url: string,
  options?: ScriptOptions,
): { factory: SqlMigrationAwareDriverAdapterFactory; close(): Promise<void> } {
  const pools: pg.Pool[] = [];
  const scratch = `scratch_${randomBytes(8).toString('hex')}`;
  const open = (address: string) => {
    const pool = new pg.Pool({ connectionString: address, max: 2 });
    outliveCuts(pool);
    pools.push(pool);
    return pool;
  };
  const main = open(url);
  const { provider, adapterName } = new PrismaPg(main);
  let scratchMade = false;
  return {
    factory: {
      provider,
      adapterName,
      connect: () => connectForEngine(main, options),
      async connectToShadowDb() {
        await main.query(`create database "${scratch}" template template0`);
        scratchMade = true;
        const address = new URL(url);
        address.pathname = `/${scratch}`;
        return connectForEngine(open(address.href));
      },
    },
    async close() {
      await Promise.all(pools.slice(1).map((pool) => pool.end()));
      if (scratchMade) await main.query(`drop database if exists "${scratch}" with (force)`);
      await main.end();
    },
  };
}

/**
 * The engine reads PostgreSQL's one-byte "char" in the catalogue when it looks at a schema; the adapter refuses that type.
 * It passes through the adapter as an array of char, a type that the catalogue queries never return, and out as what it is.
 */
async function connectForEngine(pool: pg.Pool, options?: ScriptOptions): Promise<SqlDriverAdapter> {
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<pg.QueryResult>;
  const relabelled = async (...args: unknown[]) => {
    const result = await query(...args);
    for (const field of result.fields ?? []) if (field.dataTypeID === CHAR) field.dataTypeID = CHAR_ARRAY;
    return result;
  };
  pool.query = relabelled as typeof pool.query;
  const adapter = await new PrismaPg(pool).connect();
  // The adapter cuts a script at every semicolon, function bodies included; the server takes the script whole.
  adapter.executeScript = async (script) => {
    await (options ? runScript(pool, script, options) : pool.query(script));
  };
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (request) => {
    const result = await queryRaw(request);
    const restored = result.columnTypes.map((type) =>
      type === ColumnTypeEnum.CharacterArray ? ColumnTypeEnum.Character : type,
    );
    return { ...result, columnTypes: restored };
  };
  return adapter;
}

async function withEngine<T>(
  url: string,
  work: (engine: SchemaEngine) => Promise<T>,
  options?: ScriptOptions,
): Promise<T> {
  const { SchemaEngine } = await loadEngine();
  const { files } = await readSchema();
  const datamodels = files.map((file): [string, string] => [file.path, file.content]);
  const { factory, close } = adapterFor(url, options);
  const adapter = bindMigrationAwareSqlAdapterFactory(factory);
  try {
    const engine = await SchemaEngine.new({ datamodels }, () => undefined, adapter);
    return await work(engine).finally(() => engine.free());
  } catch (error) {
    throw explained(error, adapter.errorRegistry);
  } finally {
    await close();
  }
}

type Registry = { consumeError(id: number): { error: unknown } | undefined };

/** The engine answers with Prisma's own error shapes, or with the number of an error kept on our side of the border. */
function explained(error: unknown, registry: Registry): unknown {
  if (error instanceof WebAssembly.RuntimeError && panic) return new Error(panic);
  const thrown = error as { message?: string; cause?: unknown; code?: string; meta?: unknown } | undefined;
  const id =
    typeof thrown?.cause === 'object' && thrown.cause !== null && (thrown.cause as { id?: number }).id;
  const original = typeof id === 'number' ? registry.consumeError(id)?.error : undefined;
  if (original instanceof Error) return original;
  return error instanceof Error ? error : new Error(thrown?.message ?? JSON.stringify(error));
}

/** Applies what is missing, in order, and returns the names of what it applied. Each script is run as `runScript` does. */
export async function engineApply(
  url: string,
  migrations: MigrationList,
  options: ScriptOptions = {},
): Promise<string[]> {
  return withEngine(
    url,
    async (engine) => {
      const result = await engine.applyMigrations({ migrationsList: migrations, filters: NO_FILTER });
      return result.appliedMigrationNames;
    },
    options,
  );
}

/**
 * The SQL that leads from the migrations to `prisma/schema`, or undefined when they agree. The migrations are played on
 * a database that the engine creates and drops on the server of `url`.
 */
export async function engineDiff(url: string, migrations: MigrationList): Promise<string | undefined> {
  const schema = await readSchema();
  return withEngine(url, async (engine) => {
    const from =
      migrations.migrationDirectories.length === 0
        ? ({ tag: 'empty' } as const)
        : { tag: 'migrations' as const, ...migrations };
    const result = await engine.diff({
      from,
      to: { tag: 'schemaDatamodel', ...schema },
      script: true,
      exitCode: true,
      filters: NO_FILTER,
    });
    return result.exitCode === 0 ? undefined : (result.stdout ?? '');
  });
}
