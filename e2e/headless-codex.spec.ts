import { headlessJobs } from './support/headless-jobs.ts'
import { realAgents } from './support/real/index.ts'

headlessJobs(realAgents.codex, (prompt) => ['codex', 'exec', '--skip-git-repo-check', prompt])
