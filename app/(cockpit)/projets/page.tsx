import { FolderGit2 } from 'lucide';
import type { Metadata } from 'next';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { CopyButton } from '#app/_ui/action/copy-button.tsx';
import { type Column, DataTable } from '#app/_ui/data/data-table.tsx';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { founderWords } from '#app/_ui/state/founder-words.ts';
import { Notice } from '#app/_ui/state/notice.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { Mono } from '#app/_ui/text/inline.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import { listProjects } from '#lib/brain/projects/list-projects.ts';
import { hasPermission } from '#lib/core/actor.ts';
import { listFounderNames } from '#lib/identity/members/list-founder-names.ts';
import { EditProject, RegisterProject } from './controls.tsx';

export const metadata: Metadata = { title: 'Projets' };

type Project = Awaited<ReturnType<typeof listProjects>>['data'][number];

/** The projects of the account: the sites and products that its programs read with `GET /projects`. */
export default memberPage({}, async ({ ctx, now }) => {
  const { data: projects } = await listProjects(ctx);
  const canWrite = hasPermission(ctx.actor, 'brain.write');
  const columns: Column<Project>[] = [
    {
      key: 'name',
      label: 'Nom',
      primary: true,
      render: (project) => <span className="wrap-anywhere font-medium">{project.name}</span>,
    },
    {
      key: 'site',
      label: 'Site',
      render: (project) => (
        <a
          href={project.websiteUrl}
          rel="noreferrer"
          target="_blank"
          className="wrap-anywhere text-accent-ink underline-offset-4 hover:underline"
        >
          {project.websiteUrl.replace(/^https?:\/\//, '').replace(/\/$/, '')}
        </a>
      ),
    },
    {
      key: 'id',
      label: 'Identifiant',
      render: (project) => (
        <span className="inline-flex min-w-0 items-center gap-1">
          <Mono className="text-ink-soft text-xs">{project.id}</Mono>
          <CopyButton compact text={project.id} label="Copier l’identifiant" />
        </span>
      ),
    },
    { key: 'updated', label: 'Modifié', render: (project) => <Time at={project.updatedAt} now={now} /> },
    ...(canWrite
      ? [
          {
            key: 'actions',
            label: 'Actions',
            actions: true,
            render: (project: Project) => <EditProject project={project} />,
          },
        ]
      : []),
  ];
  return (
    <>
      <PageHeader
        title="Projets"
        description="Les sites et produits du compte, que vos programmes retrouvent par GET /projects."
        action={canWrite ? <RegisterProject /> : null}
      />
      {canWrite ? null : (
        <Notice tone="info" className="mb-6">
          Vous pouvez lire les projets, pas les modifier. Demandez le droit «&nbsp;Écrire dans les
          espaces&nbsp;» à {founderWords(await listFounderNames(ctx))}.
        </Notice>
      )}
      <DataTable
        caption="Projets du compte"
        columns={columns}
        rows={projects}
        rowKey={(project) => project.id}
        empty={
          <EmptyState
            icon={FolderGit2}
            title="Un projet relie le compte à un site ou à un produit"
            action={canWrite ? <RegisterProject /> : null}
            example={
              <p className="text-sm">
                <span className="font-medium">Boutique en ligne</span>{' '}
                <span className="text-ink-soft">· boutique.exemple.fr</span>
              </p>
            }
          >
            Une clé qui a le droit «&nbsp;Lire les projets&nbsp;» en reçoit la liste.
          </EmptyState>
        }
      />
    </>
  );
});
