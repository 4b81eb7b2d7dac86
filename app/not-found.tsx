import { NothingHere } from './_ui/state/not-found.tsx';

/** Outside the cockpit. */
export default function NotFound() {
  return (
    <main>
      <NothingHere />
    </main>
  );
}
