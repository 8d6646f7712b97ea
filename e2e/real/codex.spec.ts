import { realAgents } from '../support/real/index.ts'
import { realAgentSuite } from '../support/real/suite.ts'

realAgentSuite(realAgents.codex, {
  'nothing is typed into an open permission dialog': 'wrapped',
  'a draft of a person holds the followup': 'hosted',
  'nothing is typed into the shell of a person who quit': 'wrapped',
  'two at once keep apart': 'pane',
  'kill -9 of the engine in the middle': 'pane',
  'a restart of the engine in the middle of an answer': 'wrapped',
  'an engine that ends before an answer does': 'pane',
  'a compaction in the middle': 'hosted',
  'a sub-agent at work': 'wrapped',
  'its own side requests at the worst moment': 'pane',
  'a provider that limits, fails and breaks off': 'hosted',
})
