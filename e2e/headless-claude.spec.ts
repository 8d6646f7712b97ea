import { headlessJobs } from './support/headless-jobs.ts'
import { realAgents } from './support/real/index.ts'

headlessJobs(realAgents.claude, (prompt) => ['claude', '-p', prompt])
