type CopyRule = 'long-dash' | 'emoji' | 'banned' | 'template' | 'fact';

/** One thing to correct in one field, located in UTF-16 units of that field. */
export type CopyProblem = {
  field: string;
  rule: CopyRule;
  /** The banned construction's id, for `banned`. */
  entry?: string;
  start: number;
  end: number;
  excerpt: string;
  /** French, for whoever wrote the text. */
  message: string;
};

/** A problem before the field that holds it is known. */
export type Finding = Pick<CopyProblem, 'rule' | 'entry' | 'start' | 'end' | 'message'>;
