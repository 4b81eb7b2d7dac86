import { redirect } from 'next/navigation';

/** The cockpit opens on the Spaces. */
export default function Home() {
  redirect('/espaces');
}
