export { formatRulePage, type RulePage, type RulePageOptions, ruleMarkdown, rulePage } from '../rule-page.ts';
export { CODES } from './rep158-codes.ts';
