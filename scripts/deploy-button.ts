import { readOptions } from '#lib/local/options.ts';
import {
  buttonMarkdown,
  cloneAddress,
  originOf,
  repositoryPage,
  variablesBlock,
} from './deploy/deploy-button.ts';

// npm run deploy-button [-- <address of the repository>] [--variables]: the « Deploy » button of this repository, for a page that
// strangers read; with --variables, what Vercel is to be given, as a .env with its secrets made. docs/deploy.md, « Vercel ».
const { values, positionals } = readOptions(
  'npm run deploy-button -- [<address of the repository>] [--variables]',
  { options: { variables: { type: 'boolean', default: false } }, allowPositionals: true },
);
if (values.variables) console.log(variablesBlock());
else {
  const remote = positionals[0] ?? originOf() ?? '';
  const repository = repositoryPage(remote);
  if (repository === undefined) {
    console.error(
      remote
        ? `${remote} is no address that Vercel can read. Name the repository: npm run deploy-button -- https://…`
        : 'This clone has no « origin ». Name the repository: npm run deploy-button -- https://…',
    );
    process.exit(2);
  }
  console.log(`${cloneAddress(repository)}\n\n${buttonMarkdown(repository)}`);
}
