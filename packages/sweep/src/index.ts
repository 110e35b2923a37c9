export type { MetricKind, PlanCheck, PlanMetric, PlanOutputs, PlanSimulation, SweepPlan } from './plan/plan.ts';
export { planJsonSchema } from './plan/plan-json-schema.ts';
export {
	PLAN_DEFAULTS,
	type PlanPlaces,
	type ReadPlanOptions,
	type ReadPlanResult,
	readPlan,
} from './plan/read-plan.ts';
export type { Distribution, ParameterTarget, ParameterValue, PlanParameter, SamplerSpec } from './sample/parameter.ts';
