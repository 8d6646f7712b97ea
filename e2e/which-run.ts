/**
 * Which files run when. A test file is in `npm test` unless it stands here with the reason why it is not. `.ci/run` has
 * more, and `npm run test:all` everything. `which-run.test.ts` checks this list.
 */

/**
 * Left to `npm run test:rest`, which `.ci/run` runs after `npm test`: much of real parts, by what `npm test` has of
 * them.
 */
export const afterTest: Readonly<Record<string, readonly string[]>> = {
  'whole days of real agents; codex-keep-going.spec.ts and codex-queue.spec.ts show one kept going': [
    'e2e/claude-trust.spec.ts',
    'e2e/codex-clock.spec.ts',
    'e2e/codex-dialog.spec.ts',
    'e2e/codex-first-message.spec.ts',
    'e2e/codex-goal.spec.ts',
    'e2e/codex-half-a-line.spec.ts',
    'e2e/codex-pasted.spec.ts',
    'e2e/codex-pause.spec.ts',
    'e2e/codex-servertools.spec.ts',
    'e2e/codex-tools-speak.spec.ts',
    'e2e/continue-execution.spec.ts',
    'e2e/hooks.spec.ts',
    'e2e/inbox.spec.ts',
    'e2e/drives.spec.ts',
    'e2e/qwen-keep-going.spec.ts',
    'e2e/real-agents.spec.ts',
    'e2e/real/claude.spec.ts',
    'e2e/real/codex.spec.ts',
    'e2e/setup-for-good.spec.ts',
  ],
  'every pair of protocols on a real engine; protocol/golden.test.ts and pipeline/ go through them without one': [
    'e2e/conformance/byte-fidelity.spec.ts',
    'e2e/conformance/conversion-text.spec.ts',
    'e2e/conformance/conversion-thinking.spec.ts',
    'e2e/conformance/conversion-tools.spec.ts',
    'e2e/conformance/held-markers.spec.ts',
    'e2e/conformance/kept-thinking.spec.ts',
    'e2e/conformance/providers.spec.ts',
    'e2e/conformance/take-over.spec.ts',
    'e2e/servertools-failures.spec.ts',
    'e2e/servertools-ledger.spec.ts',
    'e2e/servertools-slow.spec.ts',
  ],
  'views in a real browser; renderer/ tests draw them without one, dashboard-live.spec.ts shows that they live': [
    'e2e/dashboard-access.spec.ts',
    'e2e/dashboard-config.spec.ts',
    'e2e/dashboard-cost.spec.ts',
    'e2e/dashboard-first-minute.spec.ts',
    'e2e/dashboard-folders.spec.ts',
    'e2e/dashboard-live-alarms.spec.ts',
    'e2e/dashboard-outage.spec.ts',
    'e2e/dashboard-pane.spec.ts',
    'e2e/dashboard-provider-edit.spec.ts',
    'e2e/dashboard-provider-returns.spec.ts',
    'e2e/dashboard-settings.spec.ts',
    'e2e/dashboard-terminal.spec.ts',
    'e2e/dashboard/activity.spec.ts',
    'e2e/dashboard/alarms.spec.ts',
    'e2e/dashboard/axe.spec.ts',
    'e2e/dashboard/dashboard.spec.ts',
    'e2e/dashboard/delete-session.spec.ts',
    'e2e/dashboard/device.spec.ts',
    'e2e/dashboard/failed-turn.spec.ts',
    'e2e/dashboard/forced-colours.spec.ts',
    'e2e/dashboard/goal.spec.ts',
    'e2e/dashboard/held-markers.spec.ts',
    'e2e/dashboard/on-demand.spec.ts',
    'e2e/dashboard/outside.spec.ts',
    'e2e/dashboard/phone-width.spec.ts',
    'e2e/dashboard/providers.spec.ts',
    'e2e/dashboard/quiet-hours.spec.ts',
    'e2e/dashboard/servertools.spec.ts',
    'e2e/dashboard/settings.spec.ts',
    'e2e/dashboard/widths.spec.ts',
    'e2e/phone.spec.ts',
    'e2e/policy.spec.ts',
  ],
  'each day of the desktop app; desktop/tray.spec.ts starts it, electron/shell has the rest in unit tests': [
    'e2e/desktop/alarms.spec.ts',
    'e2e/desktop/crash.spec.ts',
    'e2e/desktop/files.spec.ts',
    'e2e/desktop/installed.spec.ts',
    'e2e/desktop/linux-desktop.spec.ts',
    'e2e/desktop/notifications.spec.ts',
    'e2e/desktop/quit.spec.ts',
    'e2e/desktop/start.spec.ts',
    'e2e/desktop/watch.spec.ts',
    'e2e/desktop/window.spec.ts',
  ],
  'kills, full disks and lost engines; store/kill.test.ts, clock/kill.test.ts and faults-state.spec.ts have some': [
    'e2e/clock-restart.spec.ts',
    'e2e/crash-report.spec.ts',
    'e2e/dead-port.spec.ts',
    'e2e/delete-session.spec.ts',
    'e2e/faults-disk.spec.ts',
    'e2e/faults-engines.spec.ts',
    'e2e/faults-http.spec.ts',
    'e2e/given-socket.spec.ts',
    'e2e/kill-engine.spec.ts',
    'e2e/quiet-end.spec.ts',
    'e2e/recover.spec.ts',
    'e2e/two-versions.spec.ts',
    'e2e/wrapper-link.spec.ts',
  ],
  'each sentence of the documents that asked for Onward; contract/001-clock.spec.ts has those of alarms': [
    'e2e/contract/000-stop-message.spec.ts',
    'e2e/contract/002-sm.spec.ts',
    'e2e/contract/003-autoloop.spec.ts',
    'e2e/contract/004-lifecycle.spec.ts',
  ],
  'packages, services, keychains and other users of a real system; cli/service and secrets have unit tests': [
    'e2e/keep-awake.spec.ts',
    'e2e/keychain.spec.ts',
    'e2e/other-user.spec.ts',
    'e2e/package-desktop.spec.ts',
    'e2e/container.spec.ts',
    'e2e/package-npm.spec.ts',
    'e2e/service.spec.ts',
    'e2e/uninstall.spec.ts',
  ],
  'a real Prometheus beside an engine; engine-telemetry.test.ts reads its page and hears what a collector gets': [
    'e2e/prometheus.spec.ts',
  ],
  'engines at a real nats-server; engine/fleet has unit tests of what is made of it': ['e2e/fleet.spec.ts'],
  'logins over a real sshd; electron/machines has unit tests of what is made of them': [
    'e2e/machines-install.spec.ts',
    'e2e/machines-lists.spec.ts',
    'e2e/machines-several.spec.ts',
    'e2e/machines.spec.ts',
  ],
  'models of another machine, over a real sshd and hub; machines/lend-line.test.ts has all of it without': [
    'e2e/via.spec.ts',
  ],
  'one at a time, with nothing beside them, as `alone` below says': [
    'e2e/fair-share-whole.spec.ts',
    'e2e/fair-share.spec.ts',
  ],
  'a real agent that asks over MCP, and MCP over HTTP; mcp.spec.ts has the same server on stdio': [
    'e2e/mcp-claude.spec.ts',
    'e2e/mcp-http.spec.ts',
  ],
  'jobs of real agents without a terminal; cli/headless has unit tests of how they end': [
    'e2e/headless-codex.spec.ts',
    'e2e/headless.spec.ts',
  ],
  'real agents that an editor drives; electron/cli/acp has all that goes between them without one': ['e2e/acp.spec.ts'],
  'types, lint, layout and format, as `npm run check` says them': ['e2e/layout.spec.ts'],
  'goals against every lie and fault; review.property.test.ts holds the same over thousands of rounds': [
    'e2e/goal-beads.spec.ts',
    'e2e/goal-budget.spec.ts',
    'e2e/goal-crash.spec.ts',
    'e2e/goal-injection.spec.ts',
    'e2e/goal-lies.spec.ts',
  ],
}

/** Left to `npm run test:all`, once a week: what shows the same before, or why nothing has to. */
export const onlyInTestAll: Readonly<Record<string, string>> = {
  'e2e/cache-table.spec.ts':
    'what five live agents read from a cache; pipeline/never-dearer.test.ts holds the same over recorded requests',
  'e2e/clock-crash.spec.ts': 'kills at each step of an alarm; clock-restart.spec.ts kills at random writes',
  'e2e/codex-failed-turn.spec.ts':
    'a Codex whose provider fails; sessions/failures.test.ts and dashboard/failed-turn.spec.ts show what is made of it',
  'e2e/codex-goal-checks.spec.ts':
    'checks that change beside a real Codex; codex-goal.spec.ts runs one, checks/create-checks.test.ts changes them',
  'e2e/qwen-mentions.spec.ts': 'names of files in texts to a Qwen Code; typing/plain-mentions.test.ts holds the rules',
  'e2e/codex-goal-command.spec.ts': 'a reviewer that is a program; codex-goal.spec.ts has one that is a model',
  'e2e/codex-goal-overtaken.spec.ts': 'whatever overtakes a review; stop-message/model.test.ts goes through all orders',
  'e2e/codex-goal-pauses.spec.ts': 'pauses of goals with a real Codex; goal-protocols.spec.ts pauses without one',
  'e2e/codex-model-text.spec.ts':
    'markers of models with a real Codex; conformance/markers.spec.ts shows the same over all protocols',
  'e2e/codex-new.spec.ts':
    'a new conversation under armed rounds; stop-message/others.test.ts holds it without an agent',
  'e2e/codex-off.spec.ts': 'every way to switch off with a real Codex; codex-keep-going.spec.ts shows that it ends',
  'e2e/codex-pane-killed.spec.ts': 'every way a pane can end; codex-clock.spec.ts and tmux.test.ts see one end',
  'e2e/codex-quit.spec.ts':
    'quits at every moment; codex-clock.spec.ts quits a Codex and shows that its shell is left alone',
  'e2e/codex-restart.spec.ts': 'restarts in every kind of terminal; codex-clock.spec.ts comes back in another pane',
  'e2e/codex-two-panes.spec.ts': 'two panes at once; codex-clock.spec.ts has two panes that each get their own',
  'e2e/conformance/clock.spec.ts':
    'alarms over all 24 pairs of protocols; clock-clients.spec.ts goes through the four clients',
  'e2e/conformance/take-over-sessions.spec.ts':
    'random sessions over the pairs that take-over.spec.ts goes through once',
  'e2e/dashboard-needs-you-opencode.spec.ts':
    'an opencode that asks; dashboard-needs-you.spec.ts has a Codex, answer-dialog.test.ts moves without keys',
  'e2e/drives-more.spec.ts':
    'waits for schedules of Qwen Code and Kimi Code; drives.spec.ts has Claude Code, reduce.test.ts their words',
  'e2e/dashboard/axe-dark.spec.ts': 'the views of axe.spec.ts once more, in the dark theme',
  'e2e/dashboard/readme-pictures.spec.ts': 'takes the pictures of the README; screenshots.spec.ts shows the same view',
  'e2e/dashboard/scale.spec.ts': 'a thousand sessions in one page; npm run bench measures what that costs',
  'e2e/dashboard/screenshots-crossed.spec.ts':
    'the views of screenshots.spec.ts once more, with width and theme crossed',
  'e2e/desktop/alarm-notices.spec.ts':
    'every button of alarm notices; desktop/alarms.spec.ts shows that they come and act',
  'e2e/desktop/attach.spec.ts':
    'the app beside a running engine; attached-engine.test.ts and faults-engines.spec.ts show both sides',
  'e2e/newcomers.spec.ts':
    'changes of a newcomer on a copy of the sources; types and tests of the sources themselves are in npm test',
  'e2e/qwen-no-color.spec.ts':
    'a Qwen Code that draws without colours; agents/suggestion.test.ts holds it on recorded screens',
  'e2e/codex-foreign.spec.ts':
    'real Codex over foreign protocols; codex-servertools.spec.ts runs one over each, conformance all pairs',
  'e2e/headless-claude.spec.ts':
    'jobs of a Claude Code without a terminal; headless-codex.spec.ts has each end, headless.spec.ts its rounds',
  'e2e/hang-up.spec.ts':
    'Codex and Copilot hang up at each gap; every mock leaves one by the seed, pipeline/hang-up.test.ts has all pairs',
  'e2e/more-agents.spec.ts':
    'agents beside the five; qwen-keep-going.spec.ts and the recorded screens of all of them are in npm test',
  'e2e/real/gemini.spec.ts': 'whatever happens to a Gemini CLI; real-agents.spec.ts shows that it is kept going',
  'e2e/real/opencode.spec.ts': 'whatever happens to an opencode; real-agents.spec.ts shows that it is kept going',
  'e2e/real/past-settings.spec.ts':
    'settings that lead real agents elsewhere; launch.test.ts and calls-watch.test.ts hold what is done about it',
  'e2e/real/recover.spec.ts':
    'real agents through each failure; e2e/recover.spec.ts and servertools/recover hold when a session goes on',
  'e2e/real/sizes.spec.ts':
    'texts of all lengths in panes of all sizes; composer.test.ts and composer-text.test.ts hold the smallest',
  'e2e/real/take-out.spec.ts':
    'a text taken out of each agent by keys; take-out.test.ts shows when, and that nothing else is touched',
  'e2e/real/qwen.spec.ts': 'whatever happens to a Qwen Code; qwen-keep-going.spec.ts shows that it is kept going',
  'e2e/dashboard/screenshots.spec.ts':
    'takes a picture of each view; axe.spec.ts and phone-width.spec.ts open them all and look for faults',
  'e2e/desktop/updates.spec.ts':
    'every step of an update of the app; electron/updates and shell/updates hold what is done in each',
  'e2e/opencode-foreign.spec.ts': 'an opencode over Responses; conformance has the pair, real/opencode the agent',
  'e2e/real/foreign.spec.ts':
    'real agents over foreign protocols; codex-servertools.spec.ts runs one over each, conformance all pairs',
  'e2e/revive.spec.ts':
    'real agents that are killed and quit; servertools/revive and terminals/agents/resume.test.ts hold what is done',
  'e2e/resume-at-reset.spec.ts':
    'waits for real limits to lift; resume-at-reset/model.test.ts does so on a virtual clock',
}

/** Run one at a time, when nothing else does: what they see would be another thing beside other tests. */
export const alone: Readonly<Record<string, string>> = {
  'e2e/fair-share.spec.ts':
    'measures the processor’s time of one piece of work, which others on the machine make longer',
  'e2e/fair-share-whole.spec.ts': 'measures the same of long requests and answers',
}

/**
 * Started before the others, the longest first: over two minutes each beside seven others. The run ends with short ones
 * then, and no core waits for a long one that began last. What takes how long stands at the end of each run.
 */
export const longest: readonly string[] = [
  'e2e/acp.spec.ts',
  'e2e/machines.spec.ts',
  'e2e/headless.spec.ts',
  'e2e/drives.spec.ts',
  'e2e/recover.spec.ts',
  'e2e/fleet.spec.ts',
  'e2e/real/claude.spec.ts',
  'e2e/real/codex.spec.ts',
  'e2e/inbox.spec.ts',
  'e2e/layout.spec.ts',
  'e2e/headless-codex.spec.ts',
  'e2e/dashboard/axe.spec.ts',
  'e2e/conformance/byte-fidelity.spec.ts',
  'e2e/kill-engine.spec.ts',
  'e2e/setup-for-good.spec.ts',
  'e2e/real-agents.spec.ts',
]

/** Other words under which a topic is known, for `npm test -- topic`. */
export const topics: Readonly<Record<string, readonly string[]>> = {
  clock: ['alarm'],
  goal: ['review', 'checks', 'workspace', 'budget'],
  dashboard: ['renderer'],
  outbox: ['typing', 'codex-queue', 'inbox', 'kill-engine', 'wrapper-link'],
}
