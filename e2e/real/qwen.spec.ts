import { realAgents } from '../support/real/index.ts'
import { realAgentSuite } from '../support/real/suite.ts'

realAgentSuite(realAgents.qwen, {
  'nothing is typed into an open permission dialog': 'wrapped',
  'a draft of a person holds the followup': 'hosted',
  'nothing is typed into the shell of a person who quit': 'pane',
  'two at once keep apart': 'pane',
  'kill -9 of the engine in the middle': 'pane',
  'a restart of the engine in the middle of an answer': 'wrapped',
  'an engine that ends before an answer does': 'pane',
  'a compaction in the middle': 'wrapped',
  'a sub-agent at work': 'hosted',
  'its own side requests at the worst moment': 'pane',
  'a provider that limits, fails and breaks off': 'wrapped',
})
