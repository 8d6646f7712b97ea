export {
  startMockUpstream,
  usualGaps,
  type MockOptions,
  type MockUpstream,
  type Script,
} from './start-mock-upstream.ts'
export { callTool, fail, garbage, gate, raw, say } from './replies.ts'
export type { AnswerPlan, Delivery, Gate, MockReply, MockRequest, MockUsage, Outcome, ToolCallPlan } from './types.ts'
