'use client';
import { ConfirmCall } from '#app/_cockpit/confirm-call.tsx';
import { disconnectApplication } from './actions.ts';

type Row = { clientId: string; name: string; memberId: string; connections: number };

export function Disconnect({ row }: { row: Row }) {
  return (
    <ConfirmCall
      label="Déconnecter"
      confirm="Déconnecter l’application"
      title={`Déconnecter «\u00a0${row.name}\u00a0»\u00a0?`}
      call={() => disconnectApplication({ clientId: row.clientId, memberId: row.memberId })}
    >
      <p>
        {row.connections > 1 ? `Ses ${row.connections} connexions prennent fin. ` : ''}
        Elle est refusée dès sa prochaine requête. Ce qu’elle a ajouté reste. Pour revenir, elle devra
        redemander votre accord.
      </p>
    </ConfirmCall>
  );
}
