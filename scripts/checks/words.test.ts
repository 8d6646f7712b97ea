/** Names that were given up for words of the field (docs/glossary.md) do not come back. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const files = ['electron', 'shared', 'renderer', 'e2e', 'scripts'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('node_modules') && !path.includes('.artifacts')),
)

/** old name of a file -> what it is called now */
const names: Readonly<Record<string, string>> = {
  office: 'alarm-service, goal-controller',
  'order-desk': 'alarm-editor',
  'orders-again': 'alarm-recovery',
  desks: 'scope-store',
  book: 'alarm-store',
  'say-book': 'transcript',
  heads: 'session-summaries',
  looks: 'inspection-tools, deliveries',
  looking: 'pre-send-review',
  course: 'goal-progress',
  'beads-in-turn': 'bead-activity',
  inside: 'outbox-transaction',
  pump: 'sender',
  intake: 'request-observer',
  standing: 'left-texts',
  news: 'alarm-events',
  'provider-news': 'provider-events',
  behind: 'append-after-last',
  says: 'has-content',
  'hidden-story': 'hidden-history',
  'request-tails': 'request-endings',
  doors: 'listeners',
  working: 'activity',
  'go-on': 'continue',
  'terminal-over': 'terminal-ended',
  'terminal-room': 'terminal-access',
  seat: 'agent-driver',
  'hosted-seat': 'hosted-agent-driver',
  'append-exchange': 'append-round',
  'told-limit': 'stated-limit',
}

/** old identifiers, and what stands for them */
const identifiers: Readonly<Record<string, string>> = {
  Office: 'AlarmService, GoalController',
  Desk: 'ScopeEntry',
  Desks: 'ScopeStore',
  Book: 'AlarmStore',
  Pump: 'Sender',
  Intake: 'RequestObserver',
  Inside: 'OutboxTransaction',
  TakeOver: 'ServerToolCodec',
  HiddenStory: 'HiddenRound',
  StoryTeller: 'HiddenHistoryWriter',
  EntryNews: 'EntryUpdate',
  Door: 'Endpoint',
  Doors: 'Listeners',
  TerminalRoom: 'TerminalAccess',
  ClockRoom: 'ClockAssembly',
  Seat: 'AgentDriver',
  SayBook: 'Transcript',
  Look: 'Inspection, RequestParts',
  Looks: 'InspectionTools',
  LookTool: 'InspectionTool',
  LookPlace: 'InspectionContext',
  LookKind: 'InspectionKind',
  PlannedLook: 'PlannedInspection',
  ReadLook: 'ReadInspection',
  AfterLook: 'AfterReview',
  FrameLook: 'FrameReading',
  PaneLook: 'PaneReading',
  ReceiptLook: 'Receipts',
  Looked: 'FolderSnapshot',
  LookedAt: 'DiscoveryContext',
  Told: 'ResumeEffect, SearchReply, FetchReply, ListedFields',
  ToldLimit: 'StatedLimit',
  ToldOutside: 'OutsideNotice',
  ProblemTold: 'ProblemReport',
  HealthNews: 'HealthEvent',
  LimitNews: 'LimitReport',
  ExchangeFacts: 'OpenCallFacts',
  Wish: 'Withdrawal, StopMessageRequest, MissedRequest',
  AlarmWish: 'AlarmRequest',
  RepeatWish: 'RepeatRequest',
  Sight: 'InspectionRecord',
  Scales: 'EvidenceContext',
}

/** old names of functions, variables and members, and what stands for them */
const members: Readonly<Record<string, string>> = {
  lookId: 'reviewId',
  lookAgain: 'decideAgain, checkNeeds, pollLater',
  lookAtWork: 'watchWork',
  lookForSign: 'checkForRest',
  lookForReceipts: 'findReceipts',
  lookAtPane: 'readPane',
  lookAtFrame: 'readFrame',
  lookAtScreen: 'readPaneScreen',
  lookEveryMs: 'pollMs',
  lookAgainMs: 'checkAgainMs',
  lookPauseMs: 'screenPauseMs',
  lookAfterMs: 'checkAfterMs',
  lookTools: 'inspectionTools',
  isLookTool: 'isInspectionTool',
  lookDeclarations: 'inspectionDeclarations',
  createLook: 'createDescribeImages',
  createLooks: 'createInspectionTools',
  looksNow: 'currentReviewer',
  notLooked: 'notInspected',
  idleLooks: 'idleReadings',
  mayLook: 'mayInspect',
  worthALook: 'mayChange, mayHoldSecret',
  isTold: 'isDescribed',
  toldOf: 'pausedText, shownChecks',
  toldLimit: 'statedLimit',
  toldWait: 'statedWait',
  toldState: 'reportedState',
  toldBytes: 'announcedBytes',
  isNews: 'isWorthAnnouncing',
  onNews: 'onEvent, onHealthEvent',
  goOn: 'continueWith, continueAfter, continue',
  mayGoOn: 'mayContinue, mayTryNext',
  sayBeads: 'beadsLine',
  parcel: 'moved',
  goOnFrom: 'continueFrom',
  lookAnew: 'decideAfterCrash',
  lastTold: 'lastReminders',
}

describe('names', () => {
  it('of files are words of the field', () => {
    const found = files
      .map((path) => path.slice(root.length + 1))
      .filter((path) => Object.hasOwn(names, basename(path).replace(/\.(test\.)?(tsx?|mjs)$/, '')))
    expect(found).toEqual([])
  })

  it('of types are words of the field', () => {
    const old = new RegExp(`(?:interface|type|class) (${Object.keys(identifiers).join('|')})\\b`, 'g')
    const found = files.flatMap((path) =>
      Array.from(readFileSync(path, 'utf8').matchAll(old), ([text]) => `${path.slice(root.length + 1)}: ${text}`),
    )
    expect(found).toEqual([])
  })

  it('of functions, variables and members are words of the field', () => {
    const old = new RegExp(
      `(?:function|const|let) (${Object.keys(members).join('|')})\\b|^ +(${Object.keys(members).join('|')})\\??[(:]`,
      'gm',
    )
    const here = join(root, 'scripts/checks/words.test.ts')
    const found = files
      .filter((path) => path !== here)
      .flatMap((path) =>
        Array.from(
          readFileSync(path, 'utf8').matchAll(old),
          ([text]) => `${path.slice(root.length + 1)}: ${text.trim()}`,
        ),
      )
    expect(found).toEqual([])
  })
})
