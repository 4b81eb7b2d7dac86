import type { Metadata } from 'next';
import Link from 'next/link';

export const metadata: Metadata = { title: 'Documentation' };

const DOCUMENTS = [
  {
    page: '/docs/api',
    source: '/api/v1/openapi.json',
    title: 'API de contexte',
    text: 'Les espaces, les mémoires, le contexte et la recherche, avec une clé de développeur ou un jeton.',
  },
  {
    page: '/docs/studio',
    source: '/api/openapi.json',
    title: 'API du Studio',
    text: 'Les générations, les références, les fichiers, la voix, le relevé et les exports, avec la session d’un membre.',
  },
];

/** Where the two APIs are documented, for people and for programs. */
export default function Documentation() {
  return (
    <main className="mx-auto flex max-w-4xl flex-col gap-6 px-4 py-10 md:px-8">
      <h1 className="text-xl font-semibold">Documentation</h1>
      <ul className="flex flex-col gap-4">
        {DOCUMENTS.map(({ page, source, title, text }) => (
          <li key={page} className="flex flex-col gap-1 rounded-md border border-line bg-surface p-4">
            <Link href={page} className="font-semibold text-accent-ink underline-offset-4 hover:underline">
              {title}
            </Link>
            <p className="max-w-prose text-ink-soft">{text}</p>
            <a href={source} className="text-accent-ink text-sm underline-offset-4 hover:underline">
              OpenAPI 3.1
            </a>
          </li>
        ))}
      </ul>
    </main>
  );
}
