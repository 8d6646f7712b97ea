import { realAgents } from '../support/real/index.ts'
import { realAgentSuite } from '../support/real/suite.ts'

realAgentSuite(realAgents.claude, {
  'nothing is typed into an open permission dialog': 'pane',
  'a draft of a person holds the followup': 'wrapped',
  'nothing is typed into the shell of a person who quit': 'pane',
  'two at once keep apart': 'pane',
  'kill -9 of the engine in the middle': 'hosted',
  'a restart of the engine in the middle of an answer': 'pane',
  'an engine that ends before an answer does': 'hosted',
  'a compaction in the middle': 'wrapped',
  'a sub-agent at work': 'pane',
  'its own side requests at the worst moment': 'hosted',
  'a provider that limits, fails and breaks off': 'wrapped',
})
