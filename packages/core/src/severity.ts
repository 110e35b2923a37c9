/** How bad a finding is. @public */
export type Severity = 'error' | 'warning' | 'info' | 'hint';
