export { CODES } from '../codes/rep158-codes.ts';
export { formatRulePage, type RulePage, type RulePageOptions, ruleMarkdown, rulePage } from './rule-page.ts';
