import type { ControlApi } from '../../../../shared/operations/index.ts'
import type { Router } from '../../router/create-router.ts'
import { noRouting, type SessionState } from '../../sessions/session-state.ts'

export interface RoutingApiDeps {
  router: Router
  find(session: string): Promise<SessionState>
}

/** Providers as they do right now, and the dry run “where would this go”. */
export function routingApi({ router, find }: RoutingApiDeps) {
  return {
    async providers() {
      return router.views()
    },
    async routeCheck(question) {
      const session = question.session === null ? null : await find(question.session)
      return router.explain({
        requestId: 'dry-run',
        entry: question.entry,
        endpoint: 'generate',
        kind: question.kind,
        model: question.model,
        sessionId: session?.id ?? null,
        overrides: { force: null, ...(session?.routing ?? noRouting) },
        needs: {
          tokens: () => question.tokens,
          image: () => question.image,
          webSearch: () => question.webSearch,
          thinking: () => question.thinking,
        },
        // Judged by the clients that were here: a dry run doesn't show whether a client sends its own login.
        credential: () => router.lastCredential() ?? 'unknown',
      })
    },
  } satisfies Partial<ControlApi>
}
