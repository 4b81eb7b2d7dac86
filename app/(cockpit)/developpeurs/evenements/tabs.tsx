import { FilterChip } from '#app/_ui/data/filter-chip.tsx';

/** The two tabs of « Développeurs »: API keys and webhooks. */
export function DeveloperTabs({ active }: { active: 'keys' | 'events' }) {
  return (
    <nav aria-label="Développeurs" className="mb-6 flex flex-wrap gap-2">
      <FilterChip href="/developpeurs" label="Clés" active={active === 'keys'} />
      <FilterChip href="/developpeurs/evenements" label="Événements" active={active === 'events'} />
    </nav>
  );
}
