export type { ProviderLimit } from './state.ts'
export {
  createResumeAtReset,
  type ResumeAtReset,
  type ResumeAtResetDeps,
  type ResumeNotice,
} from './resume-at-reset.ts'
