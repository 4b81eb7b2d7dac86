import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { count } from '#app/_ui/format.ts';
import type { FolderFile } from '#lib/brain/imports/parse/markdown-folder.ts';
import { PILLAR_ROLES, type PillarRole, SPACE_TEMPLATES, type SpaceTemplate } from '#lib/brain/templates.ts';
import { typedPath } from '#lib/local/paths.ts';
import { asMemberIn, findAccount, findSpace } from './find.ts';
import { progressBar } from './progress.ts';
import { AdminError, EXIT, MisuseError, oneOfList, run, withAccount } from './run.ts';

type Common = { account?: string; space?: string; member?: string; json?: boolean };

/** `space` and `project` commands. */
export function brainCommands(program: Command): void {
  const space = program.command('space').description('espaces du Brain');
  withAccount(space.command('create <nom>').description('crée un espace'))
    .option(
      '--template <type>',
      `type d’espace : ${SPACE_TEMPLATES.join(', ')}`,
      oneOfList('Type d’espace', SPACE_TEMPLATES),
      'brand',
    )
    .option('--website <adresse>', 'site web')
    .action((name: string, options: Common & { template: SpaceTemplate; website?: string }) =>
      run(
        options,
        async (ctx) => {
          const { createSpace } = await import('#lib/brain/spaces/create-space.ts');
          const accountId = (await findAccount(ctx, options.account)).id;
          const created = await createSpace(ctx, {
            accountId,
            name,
            template: options.template,
            websiteUrl: options.website,
          });
          return { spaceId: created.id, name: created.name, template: created.template };
        },
        (result) => console.log(`Espace ${result.name} créé : ${result.spaceId}.`),
      ),
    );

  withAccount(
    space
      .command('import <dossier>')
      .description('importe un dossier de Markdown ; relancé, met à jour sans doublon'),
  )
    .option('--space <espace>', 'nom ou identifiant de l’espace (le seul, par défaut)')
    .option(
      '--pillar <rôle>',
      `pilier des fichiers qui n’en nomment pas : ${PILLAR_ROLES.join(', ')}`,
      oneOfList('Pilier', PILLAR_ROLES),
      'KNOWLEDGE',
    )
    .option('--member <membre>', 'au nom de qui (le premier fondateur, par défaut)')
    .action(async (folder: string, options: Common & { pillar: PillarRole }) => {
      const files = await readFolder(folder);
      await run(
        options,
        async (ctx) => {
          const { parseMarkdownFolder } = await import('#lib/brain/imports/parse/markdown-folder.ts');
          const { importDrafts } = await import('#lib/brain/imports/import-drafts.ts');
          const accountId = (await findAccount(ctx, options.account)).id;
          const target = await findSpace(ctx, accountId, options.space);
          const { drafts, refused } = parseMarkdownFolder(files, { pillar: options.pillar });
          const member = await asMemberIn(ctx, accountId, options.member, target);
          const bar = progressBar('Import', options.json ?? false);
          const report = await importDrafts(member, {
            spaceId: target.id,
            drafts,
            source: 'UPLOAD',
            onProgress: (done) => bar.at(done, drafts.length),
          });
          bar.end();
          return {
            spaceId: target.id,
            files: files.length,
            ...report,
            refused: [...refused, ...report.refused],
          };
        },
        (result) => {
          const said = [
            count(result.created, 'créée'),
            count(result.updated, 'mise à jour', 'mises à jour'),
            count(result.unchanged, 'inchangée'),
            count(result.refused.length, 'refusée'),
          ];
          console.log(`${said.join(', ')} (${count(result.files, 'fichier')}).`);
          for (const { path: file, reason } of result.refused.slice(0, 20))
            console.log(`  ${file}\u00a0: ${reason}`);
          if (result.refused.length > 20)
            console.log(`  … et ${count(result.refused.length - 20, 'autre')} (--json donne tout).`);
          for (const { path: file, similar } of result.similar.slice(0, 20))
            console.log(`  ${file} ressemble à «\u00a0${similar[0]?.title}\u00a0»`);
          if (result.similarCount > 20)
            console.log(
              `  … et ${count(result.similarCount - 20, 'autre ressemblance', 'autres ressemblances')}.`,
            );
          if (result.capacityFull)
            console.log('La capacité du compte est pleine : npm run admin -- capacity set <cu>');
        },
        (result) => (result.refused.length > 0 ? EXIT.incomplete : EXIT.done),
      );
    });

  withAccount(space.command('export <fichier>').description('exporte un espace : .json, ou .zip de Markdown'))
    .option('--space <espace>', 'nom ou identifiant de l’espace (le seul, par défaut)')
    .option('--member <membre>', 'au nom de qui (le premier fondateur, par défaut)')
    .action((file: string, options: Common) => {
      if (!/\.(json|zip)$/.test(file)) throw new MisuseError('Le fichier se termine par .json ou .zip.');
      return run(
        options,
        async (ctx) => {
          const { exportSpace } = await import('#lib/brain/spaces/export-space.ts');
          const { spaceMarkdownZip } = await import('#lib/brain/export/markdown.ts');
          const { spaceJson } = await import('#lib/brain/export/json.ts');
          const accountId = (await findAccount(ctx, options.account)).id;
          const target = await findSpace(ctx, accountId, options.space);
          const reader = await asMemberIn(ctx, accountId, options.member, target);
          const exported = await exportSpace(reader, { spaceId: target.id });
          const place = typedPath(file);
          await writeFile(place, file.endsWith('.json') ? spaceJson(exported) : spaceMarkdownZip(exported));
          const { size: bytes } = await stat(place);
          return { file, memories: exported.memories.length, bytes };
        },
        (result) =>
          console.log(
            `${count(result.memories, 'mémoire exportée', 'mémoires exportées')} dans ${result.file} (${count(result.bytes, 'octet')}).`,
          ),
      );
    });

  withAccount(
    program
      .command('project')
      .description('projets')
      .command('create <nom>')
      .description('enregistre un projet'),
  )
    .requiredOption('--website <adresse>', 'site web')
    .action((name: string, options: Common & { website: string }) =>
      run(
        options,
        async (ctx) => {
          const { registerProject } = await import('#lib/brain/projects/register-project.ts');
          const accountId = (await findAccount(ctx, options.account)).id;
          const project = await registerProject(ctx, { accountId, name, websiteUrl: options.website });
          return { projectId: project.id, name: project.name };
        },
        (result) => console.log(`Projet ${result.name} enregistré : ${result.projectId}.`),
      ),
    );
}

async function readFolder(folder: string): Promise<FolderFile[]> {
  const root = typedPath(folder);
  const info = await stat(root).catch(() => null);
  if (!info?.isDirectory()) throw new AdminError(`« ${folder} » n’est pas un dossier lisible.`);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files: FolderFile[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const full = path.join(entry.parentPath, entry.name);
    const relative = path.relative(root, full).split(path.sep).join('/');
    if (/\.(md|mdx|markdown|txt)$/i.test(relative))
      files.push({ path: relative, bytes: await readFile(full) });
  }
  return files;
}
