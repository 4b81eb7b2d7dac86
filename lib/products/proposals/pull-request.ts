import { createTwoFilesPatch } from 'diff';
import type { ProductFile } from '../types.ts';
import { productSource } from './product-source.ts';

const FOLDER = 'lib/products';

/** A change of the registry, ready to be opened as a pull request. */
export type ProductPullRequest = {
  title: string;
  /** Markdown, in the headings of `.github/PULL_REQUEST_TEMPLATE/product.md`. */
  description: string;
  /** Where the product's file lies, and the whole of it. */
  path: string;
  source: string;
  /** A patch for `git apply`: the product's file only. The catalogue names other accounts' products, so the person who merges adds its line. */
  patch: string;
};

type ProductChange = {
  catalogue: Readonly<Record<string, ProductFile>>;
  account: { id: string; name: string };
  productId: string;
  file: ProductFile;
  changed: readonly string[];
  askedBy: string;
  note: string;
};

/** The texts of a pull request. Nothing that was typed becomes code, Markdown or a mention in them. */
export function productPullRequest(change: ProductChange): ProductPullRequest {
  const { catalogue, account, productId, file } = change;
  const place = `${account.id}/${productId}`;
  const before = Object.hasOwn(catalogue, place) ? catalogue[place] : undefined;
  const path = `${FOLDER}/accounts/${place}.ts`;
  const source = productSource(file);
  return {
    title: before ? `Product ${productId}: ${change.changed.join(', ')}` : `Product ${productId}`,
    description: description(change, before === undefined),
    path,
    source,
    patch: filePatch(path, before && productSource(before), source),
  };
}

function filePatch(path: string, before: string | undefined, after: string): string {
  const body = createTwoFilesPatch(
    before === undefined ? '/dev/null' : `a/${path}`,
    `b/${path}`,
    before ?? '',
    after,
  );
  const hunks = body.slice(body.indexOf('--- '));
  const head = `diff --git a/${path} b/${path}\n`;
  return before === undefined ? `${head}new file mode 100644\n${hunks}` : `${head}${hunks}`;
}

/** What the reviewer ticks; the template's own list, which a test compares. */
export const REVIEW_LIST = [
  'One file a product, `lib/products/accounts/<account>/<product>.ts`, and its line in `lib/products/catalogue.ts` (`npm run product -- catalogue` writes it)',
  'Each shop of `shopDomains` belongs to this account: <!-- how that was seen: a DNS record, a contract -->',
  "Tone and promises are the account's own words; each promise can be proved",
  '`spaceName` is the exact name of a Space of the account, or absent',
  "The identifier was never another product's (it names a folder of files, and is never used again)",
  '`npm run product -- check` passes, also with the `DATABASE_URL` of where it is deployed',
  'Taken away: its files are purged afterwards, on the page /produits (a founder)',
];

function description(change: ProductChange, isNew: boolean): string {
  const { account, productId, file, note } = change;
  const what = isNew ? 'new' : `changed: ${change.changed.join(', ')}`;
  return `## Whose, and what

- Account (identifier and name): \`${account.id}\`, ${asCode(account.name)}
- Products: \`${productId}\`, ${asCode(file.name)} (${what})
- Who asked, and where (a mail, a ticket): ${asCode(change.askedBy)}, a founder of the account, on the page /produits
${note.trim() === '' ? '' : `\nWhy, in their words:\n\n${fenced(note.trim())}\n`}
## Checked

${REVIEW_LIST.map((line) => `- [ ] ${line}\n`).join('')}`;
}

/** A text on one line as Markdown code: no markup, link or mention comes of it. */
function asCode(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const fence = '`'.repeat(longestRun(line) + 1);
  const pad = /^`|`$/.test(line) ? ' ' : '';
  return line === '' ? '–' : `${fence}${pad}${line}${pad}${fence}`;
}

function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}text\n${text}\n${fence}`;
}

const longestRun = (text: string) => Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
