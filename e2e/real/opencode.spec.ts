import { realAgents } from '../support/real/index.ts'
import { realAgentSuite } from '../support/real/suite.ts'

realAgentSuite(realAgents.opencode, {
  'nothing is typed into an open permission dialog': 'pane',
  'a draft of a person holds the followup': 'wrapped',
  'nothing is typed into the shell of a person who quit': 'pane',
  'two at once keep apart': 'hosted',
  'kill -9 of the engine in the middle': 'wrapped',
  'a restart of the engine in the middle of an answer': 'pane',
  'an engine that ends before an answer does': 'hosted',
  'a compaction in the middle': 'hosted',
  'a sub-agent at work': 'pane',
  'its own side requests at the worst moment': 'wrapped',
  'a provider that limits, fails and breaks off': 'hosted',
})
