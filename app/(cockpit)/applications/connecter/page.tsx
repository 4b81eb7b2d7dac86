import type { Metadata } from 'next';
import { headers } from 'next/headers';
import Link from 'next/link';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { CopyButton } from '#app/_ui/action/copy-button.tsx';
import { Section } from '#app/_ui/data/card.tsx';
import { CodeBlock } from '#app/_ui/data/code-block.tsx';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { pageOrigin } from '#lib/http/security/origin.ts';
import { TOOLS } from '#lib/mcp/register-tools.ts';
import { guides } from './guides.ts';

export const metadata: Metadata = { title: 'Connecter un assistant' };

/** The address to give to an assistant, and where to paste it. */
export default memberPage({}, async () => {
  const address = `${pageOrigin(await headers())}/api/mcp`;
  const isPublic = address.startsWith('https://');
  const list = guides(address);
  return (
    <>
      <PageHeader
        title="Connecter un assistant"
        description="Donnez cette adresse à votre assistant&nbsp;: il s’enregistre seul, vous vous connectez, vous acceptez."
        crumbs={[{ label: 'Connecter un assistant' }]}
      />
      <div className="grid max-w-3xl gap-10">
        <div className="flex flex-wrap items-center gap-3 rounded-md border border-line bg-surface p-4">
          <code className="wrap-anywhere min-w-0 flex-1 font-mono text-sm">{address}</code>
          <CopyButton text={address} label="Copier l’adresse" variant="primary" />
        </div>
        {isPublic ? null : (
          <Notice tone="info">
            Cette adresse n’est joignable que depuis cette machine&nbsp;: Cursor, VS Code et Claude Code
            l’atteignent. Claude et ChatGPT en ligne demandent une adresse publique en https.
          </Notice>
        )}
        <nav aria-label="Assistants" className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {list.map((guide) => (
            <a key={guide.id} href={`#${guide.id}`} className="text-accent-ink underline underline-offset-4">
              {guide.name}
            </a>
          ))}
        </nav>
        {list.map((guide) => (
          <Section key={guide.id} id={guide.id} title={guide.name}>
            <ol role="list" className="list-decimal space-y-1.5 pl-5 text-sm">
              {guide.steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            {guide.samples.length > 0 ? (
              <CodeBlock className="mt-3" label={guide.name} samples={guide.samples} />
            ) : null}
          </Section>
        ))}
        <Section
          title="Ce que l’assistant pourra faire"
          description="Selon les droits que vous acceptez, et jamais plus que les vôtres."
        >
          <dl className="divide-y divide-line text-sm">
            {TOOLS.map((tool) => (
              <div key={tool.name} className="py-2.5">
                <dt className="font-medium">{tool.title}</dt>
                <dd className="text-ink-soft">{tool.description}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-3 text-ink-soft text-sm">
            Pour retirer un accès, ouvrez{' '}
            <Link href="/applications" className="text-accent-ink underline underline-offset-4">
              Applications
            </Link>
            . Chaque outil, ses arguments et son coût&nbsp;:{' '}
            <Link href="/docs/assistant" className="text-accent-ink underline underline-offset-4">
              documentation de l’assistant
            </Link>
            .
          </p>
        </Section>
      </div>
    </>
  );
});
