import { realAgents } from '../support/real/index.ts'
import { realAgentSuite } from '../support/real/suite.ts'

realAgentSuite(realAgents.gemini, {
  'nothing is typed into an open permission dialog': 'hosted',
  'a draft of a person holds the followup': 'pane',
  'nothing is typed into the shell of a person who quit': 'wrapped',
  'two at once keep apart': 'wrapped',
  'kill -9 of the engine in the middle': 'pane',
  'a restart of the engine in the middle of an answer': 'hosted',
  'an engine that ends before an answer does': 'wrapped',
  'a compaction in the middle': 'pane',
  'a sub-agent at work': 'hosted',
  'its own side requests at the worst moment': 'wrapped',
  'a provider that limits, fails and breaks off': 'pane',
})
