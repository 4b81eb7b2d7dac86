import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { repositoryRoot } from '#lib/local/paths.ts';

const run = promisify(execFile);
const CLIENT = path.join(repositoryRoot, 'packages/client/src/index.ts');

/** The values that the examples of the reference use, besides `atelier`. */
const VALUES = `{
  spaceId: string; memoryId: string; generationId: string; renderId: string; speechId: string;
  voiceId: string; fileId: string; filePath: string; uploadPath: string; exportId: string; photo: Uint8Array<ArrayBuffer>;
}`;

export type Programs = {
  /** Runs the example of an operation with a client. */
  operation(id: string, atelier: unknown, values: object): Promise<void>;
  /** Runs the program of a guide in this process and returns its exports. */
  guide(id: string): Promise<unknown>;
};

/**
 * Writes the TypeScript of the documentation as modules, and compiles all of it strictly against the client's sources. Throws with the output of tsc.
 */
export async function compilePrograms(
  folder: string,
  operations: Readonly<Record<string, { typescript: string }>>,
  guides: Readonly<Record<string, { typescript?: string }>>,
): Promise<Programs> {
  await mkdir(folder, { recursive: true });
  const imported = path.relative(folder, CLIENT);
  const functions = Object.entries(operations).map(
    ([id, { typescript }]) =>
      `export async function ${id}(atelier: AtelierClient, values: Values): Promise<void> {\n  const { ${[
        ...VALUES.matchAll(/(\w+):/g),
      ]
        .map(([, name]) => name)
        .join(', ')} } = values;\n${typescript}\n}\n`,
  );
  const source = `import type { AtelierClient } from '${imported}';\ntype Values = ${VALUES};\n\n${functions.join('\n')}`;
  await writeFile(path.join(folder, 'operations.ts'), source);
  const files = ['operations.ts'];
  for (const [id, { typescript }] of Object.entries(guides)) {
    if (!typescript) continue;
    files.push(`guide-${id}.ts`);
    await writeFile(
      path.join(folder, `guide-${id}.ts`),
      `${typescript.replace("'@atelier/client'", `'${imported}'`)}\nexport {};\n`,
    );
  }
  const compilerOptions = {
    noEmit: true,
    strict: true,
    module: 'nodenext',
    target: 'es2024',
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
  };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = path.join(repositoryRoot, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [tsc, '--checkers', '1'], { cwd: folder }).catch(
    (failed: { stdout: string }) => {
      throw new Error(`The documentation’s TypeScript does not compile:\n${failed.stdout}`);
    },
  );
  const load = (file: string) => import(pathToFileURL(path.join(folder, file)).href);
  return {
    async operation(id, atelier, values) {
      await (await load('operations.ts'))[id](atelier, values);
    },
    guide: (id) => load(`guide-${id}.ts`),
  };
}
