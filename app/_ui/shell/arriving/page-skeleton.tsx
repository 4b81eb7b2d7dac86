import type { ReactNode } from 'react';
import { CardsSkeleton, PageHeaderSkeleton, RowsSkeleton, Skeleton } from '../../state/skeleton.tsx';

const PLACES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];

/** By the first prefix that the address matches, segment by segment; `*` matches any segment. Other pages get the skeleton of a list. */
const BODIES: [path: string, body: ReactNode, action?: false][] = [
  ['/espaces/*', <BoardSkeleton key="space" />],
  ['/espaces', <CardsSkeleton key="spaces" cards={3} />],
  ['/recherche', <SearchSkeleton key="search" />, false],
  ['/contexte', <ContextSkeleton key="context" />],
  ['/creer', <ComposerSkeleton key="composer" />, false],
  ['/journal/comparer', <RowsSkeleton key="compare" />],
  ['/journal/*', <RowOfJournalSkeleton key="row" />],
  ['/journal', <TilesSkeleton key="journal" />],
  ['/portefeuille', <WalletSkeleton key="wallet" />],
  ['/modeles/*', <FormSkeleton key="model" />],
  ['/modeles', <CardsSkeleton key="models" className="[&>div]:h-88" />, false],
  ['/produits/proposer', <BlocksSkeleton key="proposal" heights={['h-16', 'h-16', 'h-40']} narrow />],
  ['/produits', <BlocksSkeleton key="products" heights={['h-16', 'h-72', 'h-72']} />],
  ['/envois', <BlocksSkeleton key="uploads" heights={['h-10 max-w-md', 'h-72']} />],
  ['/voix', <VoicesSkeleton key="voices" />],
  ['/avatars', <AvatarsSkeleton key="avatars" />],
  ['/exploitation', <TabbedSkeleton key="operations" />],
  ['/propositions', <RowsSkeleton key="proposals" rows={3} />, false],
  ['/corbeille', <RowsSkeleton key="bin" rows={5} />, false],
];

/** The skeleton of the page at this address while it loads: it has the page's shape, so that nothing jumps. */
export default function PageSkeleton({ path }: { path: string }) {
  const parts = path.split('/');
  const found = BODIES.find(([one]) =>
    one.split('/').every((part, index) => (part === '*' ? parts[index] : part === parts[index])),
  );
  return (
    <div data-page-skeleton>
      <h1 className="sr-only">Page en cours de chargement</h1>
      <PageHeaderSkeleton action={found?.[2] ?? true} />
      {found?.[1] ?? <RowsSkeleton />}
    </div>
  );
}

function Waiting({ className, children }: { className: string; children: ReactNode }) {
  return (
    <div role="status" className={className}>
      <span className="sr-only">Chargement…</span>
      {children}
    </div>
  );
}

function BoardSkeleton() {
  return (
    <Waiting className="grid gap-x-5 gap-y-8 md:grid-cols-2 xl:grid-cols-5">
      {PLACES.slice(0, 5).map((place) => (
        <div key={place}>
          <Skeleton className="h-6 w-32" />
          <Skeleton className="mt-2 h-8 w-full" />
          {PLACES.slice(0, 3).map((row) => (
            <Skeleton key={row} className="mt-3 h-16 w-full" />
          ))}
        </div>
      ))}
    </Waiting>
  );
}

function SearchSkeleton() {
  return (
    <>
      <Skeleton className="mb-3 h-12 w-full" />
      <Skeleton className="mb-6 h-9 w-96 max-w-full" />
      <RowsSkeleton rows={6} />
    </>
  );
}

function ContextSkeleton() {
  return (
    <Waiting className="grid gap-8 lg:grid-cols-[18rem_1fr]">
      <Skeleton className="h-96 w-full" />
      <Skeleton className="h-[36rem] w-full" />
    </Waiting>
  );
}

function ComposerSkeleton() {
  return (
    <Waiting className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex flex-col gap-5">
        <Skeleton className="h-9 w-full max-w-xl" />
        <Skeleton className="h-9 w-full" />
        <Skeleton className="h-32 w-full" />
        <Skeleton className="h-24 w-full" />
      </div>
      <div className="flex flex-col gap-5">
        <Skeleton className="h-40 w-full" />
        <Skeleton className="h-56 w-full" />
      </div>
    </Waiting>
  );
}

function RowOfJournalSkeleton() {
  return (
    <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Skeleton className="aspect-[4/3] w-full rounded-md" />
      <RowsSkeleton rows={8} />
    </div>
  );
}

function TilesSkeleton() {
  return (
    <>
      <div className="mb-5 flex flex-col gap-2.5">
        <Skeleton className="h-9 w-full max-w-2xl" />
        <Skeleton className="h-9 w-full max-w-xl" />
        <Skeleton className="h-9 w-full max-w-3xl" />
      </div>
      <Waiting className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 2xl:grid-cols-6">
        {PLACES.map((place) => (
          <div key={place} className="overflow-hidden rounded-md border border-line bg-surface">
            <Skeleton className="aspect-square w-full rounded-none" />
            <div className="flex flex-col gap-2 p-3">
              <Skeleton className="h-6 w-20" />
              <Skeleton className="h-5 w-full" />
              <Skeleton className="h-4 w-2/3" />
            </div>
          </div>
        ))}
      </Waiting>
    </>
  );
}

function WalletSkeleton() {
  return (
    <>
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-3">
        {PLACES.slice(0, 3).map((place) => (
          <div key={place}>
            <Skeleton className="h-5 w-20" />
            <Skeleton className="mt-1 h-8 w-36" />
            <Skeleton className="mt-1 h-4 w-44" />
          </div>
        ))}
      </div>
      <Skeleton className="mt-10 h-44 w-full" />
      <RowsSkeleton rows={8} className="mt-10" />
    </>
  );
}

function FormSkeleton() {
  return (
    <Waiting className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
      <div>
        {PLACES.slice(0, 5).map((place) => (
          <div key={place} className="mb-4">
            <Skeleton className="h-5 w-28" />
            <Skeleton className="mt-1.5 h-9 w-full" />
          </div>
        ))}
      </div>
      <Skeleton className="h-112 w-full" />
    </Waiting>
  );
}

function BlocksSkeleton({ heights, narrow }: { heights: string[]; narrow?: boolean }) {
  return (
    <Waiting className={narrow ? 'max-w-3xl space-y-5' : 'space-y-8'}>
      {heights.map((height, index) => (
        <Skeleton key={PLACES[index]} className={`${height} w-full`} />
      ))}
    </Waiting>
  );
}

function VoicesSkeleton() {
  return (
    <>
      <Skeleton className="h-5 w-full max-w-xl" />
      <Skeleton className="mt-2 h-1.5 w-full max-w-xl" />
      <RowsSkeleton rows={6} className="mt-10" />
    </>
  );
}

function AvatarsSkeleton() {
  return (
    <Waiting className="grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-3 xl:grid-cols-4">
      {PLACES.slice(0, 8).map((place) => (
        <div key={place}>
          <Skeleton className="aspect-square w-full" />
          <Skeleton className="mt-2 h-5 w-2/3" />
          <Skeleton className="mt-1 h-4 w-1/2" />
        </div>
      ))}
    </Waiting>
  );
}

function TabbedSkeleton() {
  return (
    <>
      <Skeleton className="mb-6 h-10 w-96 max-w-full" />
      <RowsSkeleton />
    </>
  );
}
