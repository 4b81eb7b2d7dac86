export type Database = never;
export type Sql = never;
