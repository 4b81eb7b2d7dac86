import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { CHANGELOG } from '#app/_docs/content/changelog.ts';
import { ENTRIES } from '#app/_docs/content/home.ts';
import { DOC_PAGES, findPage } from '#app/_docs/pages.ts';
import { type DrawnPage, drawPage } from '#app/_docs/render/draw-page.ts';
import type { DocPage } from '#app/_docs/writing/page.ts';
import { pathOf } from '#app/_docs/writing/slugs.ts';
import { pageOrigin } from '#lib/http/security/origin.ts';
import { Contents, DocsHeader, DocsMenu, Neighbours } from './frame.tsx';
import { PageTools } from './page-tools.tsx';

type Props = { params: Promise<{ slug?: string[] }> };

const asked = async ({ params }: Props) => findPage(((await params).slug ?? []).join('/'));

export async function generateMetadata(props: Props): Promise<Metadata> {
  const page = await asked(props);
  if (!page) return {};
  return {
    title: page.slug ? `${page.title} · Documentation` : page.title,
    description: page.summary,
    robots: { index: true },
    alternates: { types: { 'text/markdown': `${pathOf(page)}.md` } },
  };
}

/** A page of the documentation, for anybody. */
export default async function Documentation(props: Props) {
  const page = await asked(props);
  if (!page) notFound();
  const drawn = drawPage(page, pageOrigin(await headers()));
  const at = DOC_PAGES.indexOf(page);
  return (
    <div className="min-h-dvh">
      <DocsHeader />
      <div className="mx-auto grid max-w-7xl gap-x-10 px-4 pb-20 md:px-8 lg:grid-cols-[13rem_minmax(0,1fr)] xl:grid-cols-[13rem_minmax(0,1fr)_13rem]">
        <DocsMenu current={page.slug} />
        <main id="contenu" className="min-w-0 max-w-3xl py-6 lg:py-10">
          <h1 className="font-semibold text-xl">{page.title}</h1>
          <p className="mt-2 text-base text-ink-soft">{page.summary}</p>
          <Contents sections={drawn.sections} className="mt-6 xl:hidden" />
          <Article page={page} drawn={drawn} />
          <Neighbours before={DOC_PAGES[at - 1]} after={DOC_PAGES[at + 1]} />
        </main>
        <aside className="hidden py-10 xl:block">
          <Contents
            sections={drawn.sections}
            isOpen
            className="sticky top-20 max-h-[calc(100dvh-6rem)] overflow-y-auto"
          />
        </aside>
      </div>
      <PageTools />
    </div>
  );
}

function Article({ page, drawn }: { page: DocPage; drawn: DrawnPage }) {
  return (
    <div className="doc-text mt-8">
      <Words html={drawn.introduction} />
      {page.slug === '' ? <Entries /> : null}
      {drawn.sections.map(({ id, title, level, html }) => {
        const Heading = level === 2 ? 'h2' : 'h3';
        return (
          <section key={id} aria-labelledby={id}>
            <Heading id={id}>
              <a href={`#${id}`}>{title}</a>
            </Heading>
            <Words html={html} lang={page.slug === CHANGELOG.slug ? 'en' : undefined} />
          </section>
        );
      })}
      <p className="mt-12 text-ink-faint text-sm">
        <a href={`${pathOf(page)}.md`}>Cette page en Markdown</a>
      </p>
    </div>
  );
}

/** Drawn once from our own sources: one string weighs half of what as many elements would. */
function Words({ html, lang }: { html: string; lang?: string | undefined }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the repository's words, whose reader lets no raw HTML through
  return html ? <div lang={lang} dangerouslySetInnerHTML={{ __html: html }} /> : null;
}

function Entries() {
  return (
    <ul role="list" className="my-8 grid list-none gap-4 p-0 sm:grid-cols-3">
      {ENTRIES.map(({ href, title, text }) => (
        <li key={href} className="m-0">
          <a
            href={href}
            className="flex h-full flex-col gap-1 rounded-md border border-line bg-surface p-4 no-underline hover:border-line-strong"
          >
            <span className="font-semibold text-accent-ink text-base">{title}</span>
            <span className="text-ink-soft text-sm">{text}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
