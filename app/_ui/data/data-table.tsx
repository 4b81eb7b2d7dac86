import type { ReactNode } from 'react';
import { cx } from '../cx.ts';

export type Column<Row> = {
  key: string;
  label: string;
  render: (row: Row) => ReactNode;
  /** Right-aligned, with tabular figures. */
  numeric?: boolean;
  /** The column that names the row: its cells are the row headers. */
  primary?: boolean;
  /** The actions of the row: the label is for assistive technology only. */
  actions?: boolean;
  /** Hidden on a phone. */
  wide?: boolean;
  className?: string;
};

type DataTableProps<Row> = {
  /** What the rows are, for assistive technology. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** Shown instead of the table if there are no rows. */
  empty?: ReactNode;
  /** Totals, by the key of their column. */
  footer?: Partial<Record<string, ReactNode>>;
  className?: string;
};

/**
 * A table of rows to compare; on a phone each row becomes a stack of labelled values. The ARIA roles are explicit, because some browsers drop the
 * roles of a table that CSS lays out differently.
 */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  empty,
  footer,
  className,
}: DataTableProps<Row>) {
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    <table role="table" className={cx('w-full border-collapse text-sm max-sm:block', className)}>
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="max-sm:sr-only">
        <tr role="row" className="border-line border-b">
          {columns.map((column) => (
            <th
              key={column.key}
              role="columnheader"
              scope="col"
              className={cx(
                'h-9 px-3 text-left font-medium text-ink-faint text-xs first:pl-0 last:pr-0',
                column.numeric && 'text-right',
              )}
            >
              {column.actions ? <span className="sr-only">{column.label}</span> : column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="divide-y divide-line max-sm:block">
        {rows.map((row) => (
          <tr key={rowKey(row)} role="row" className="group max-sm:block max-sm:py-3">
            {columns.map((column) => (
              <Cell key={column.key} column={column}>
                {column.render(row)}
              </Cell>
            ))}
          </tr>
        ))}
      </tbody>
      {footer ? (
        <tfoot role="rowgroup" className="max-sm:block">
          <tr role="row" className="border-line-strong border-t font-medium max-sm:block max-sm:py-3">
            {columns.map((column) => (
              <Cell key={column.key} column={column}>
                {footer[column.key]}
              </Cell>
            ))}
          </tr>
        </tfoot>
      ) : null}
    </table>
  );
}

function Cell<Row>({ column, children }: { column: Column<Row>; children: ReactNode }) {
  const className = cx(
    'px-3 py-2.5 text-left align-middle font-normal first:pl-0 last:pr-0 max-sm:flex max-sm:min-h-7 max-sm:items-center max-sm:justify-between max-sm:gap-4 max-sm:px-0 max-sm:py-0.5',
    column.numeric && 'tabular text-right whitespace-nowrap',
    column.primary && 'max-sm:font-medium',
    column.wide && 'max-sm:hidden',
    column.actions && 'text-right',
    !column.primary &&
      !column.actions &&
      'max-sm:before:shrink-0 max-sm:before:text-ink-faint max-sm:before:text-xs max-sm:before:content-[attr(data-label)]',
    column.className,
    children == null && 'max-sm:hidden',
  );
  return column.primary ? (
    <th role="rowheader" scope="row" className={className}>
      {children}
    </th>
  ) : (
    <td role="cell" data-label={column.label} className={className}>
      {children}
    </td>
  );
}
