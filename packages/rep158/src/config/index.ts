export {
	applyPaths,
	type CheckConfig,
	type ConfigRules,
	configOptions,
	EMPTY_CONFIG,
	parseCheckConfig,
} from './check-config.ts';
