/**
 * What the semantic conventions 1.41.1 say of a call to a model: `span.gen_ai.inference.client` of
 * model/gen-ai/spans.yaml with the types of model/gen-ai/registry.yaml, and the metrics of model/gen-ai/metrics.yaml.
 */
import type { ReceivedAttributes, ReceivedMetric, ReceivedSpan, ReceivedValue } from './otlp-receiver.ts'

type Type = 'string' | 'int' | 'double' | 'boolean' | 'string[]'

/** Opt-in members with content (messages, instructions, tools) are left out: nothing of Onward's may have them. */
const spanAttributes: Readonly<Record<string, Type>> = {
  'error.type': 'string',
  'server.address': 'string',
  'server.port': 'int',
  'gen_ai.operation.name': 'string',
  'gen_ai.provider.name': 'string',
  'gen_ai.request.model': 'string',
  'gen_ai.request.max_tokens': 'int',
  'gen_ai.request.choice.count': 'int',
  'gen_ai.request.temperature': 'double',
  'gen_ai.request.top_p': 'double',
  'gen_ai.request.top_k': 'double',
  'gen_ai.request.stop_sequences': 'string[]',
  'gen_ai.request.frequency_penalty': 'double',
  'gen_ai.request.presence_penalty': 'double',
  'gen_ai.request.seed': 'int',
  'gen_ai.request.stream': 'boolean',
  'gen_ai.output.type': 'string',
  'gen_ai.response.id': 'string',
  'gen_ai.response.model': 'string',
  'gen_ai.response.finish_reasons': 'string[]',
  'gen_ai.response.time_to_first_chunk': 'double',
  'gen_ai.usage.input_tokens': 'int',
  'gen_ai.usage.output_tokens': 'int',
  'gen_ai.usage.cache_read.input_tokens': 'int',
  'gen_ai.usage.cache_creation.input_tokens': 'int',
  'gen_ai.usage.reasoning.output_tokens': 'int',
  'gen_ai.conversation.id': 'string',
  // general conventions, model/http/registry.yaml
  'http.response.status_code': 'int',
}

const operations = ['chat', 'generate_content', 'text_completion', 'embeddings', 'retrieval', 'execute_tool']
const providers = [
  'openai',
  'gcp.gen_ai',
  'gcp.vertex_ai',
  'gcp.gemini',
  'anthropic',
  'cohere',
  'azure.ai.inference',
  'azure.ai.openai',
  'ibm.watsonx.ai',
  'aws.bedrock',
  'perplexity',
  'x_ai',
  'deepseek',
  'groq',
  'mistral_ai',
]
/** Both lists are open: these are Onward's own words, where none of theirs fits. */
const ownOperations = ['count_tokens']
const ownProviders = ['onward', 'onward.simulator']

const CLIENT = 3
const ERROR = 2

/** Returns what the conventions would have otherwise, in sentences; empty: nothing. */
export function spanFaults({ name, kind, attributes, status, start, end }: ReceivedSpan): string[] {
  const faults = [
    ...callFaults(attributes),
    ...typeFaults(attributes, (key) => spanAttributes[key]),
    ...unless(kind === CLIENT, `its kind is ${kind}, not CLIENT`),
    ...unless(end >= start, 'it ends before it begins'),
  ]
  const operation = String(attributes['gen_ai.operation.name'])
  const model = attributes['gen_ai.request.model']
  const wanted = model === undefined ? operation : `${operation} ${String(model)}`
  faults.push(...unless(name === wanted, `its name is “${name}”, not “${wanted}”`))
  faults.push(
    ...unless((status.code === ERROR) === (attributes['error.type'] !== undefined), 'status and error.type disagree'),
    ...unless(attributes['gen_ai.request.stream'] !== false, 'gen_ai.request.stream is set of one that is no stream'),
  )
  const usage = (member: string) => Number(attributes[`gen_ai.usage.${member}`] ?? 0)
  faults.push(
    ...unless(
      usage('cache_read.input_tokens') + usage('cache_creation.input_tokens') <= usage('input_tokens'),
      'cached tokens are not within the input',
    ),
    ...unless(usage('reasoning.output_tokens') <= usage('output_tokens'), 'reasoning is not within the output'),
  )
  return faults
}

const metricFacts: Readonly<Record<string, { unit: string; attributes: readonly string[] }>> = {
  'gen_ai.client.token.usage': { unit: '{token}', attributes: ['gen_ai.token.type'] },
  'gen_ai.client.operation.duration': { unit: 's', attributes: ['error.type'] },
  'gen_ai.client.operation.time_to_first_chunk': { unit: 's', attributes: [] },
}
const common = [
  'server.address',
  'server.port',
  'gen_ai.response.model',
  'gen_ai.request.model',
  'gen_ai.provider.name',
  'gen_ai.operation.name',
]

export function metricFaults({ name, unit, points }: ReceivedMetric): string[] {
  const facts = metricFacts[name]
  if (!facts) return unless(name.startsWith('onward.'), `${name} is no metric of the conventions`)
  return [
    ...unless(unit === facts.unit, `the unit of ${name} is ${unit}`),
    ...points.flatMap(({ attributes }) => [
      ...callFaults(attributes),
      ...Object.keys(attributes)
        .filter((key) => !common.includes(key) && !facts.attributes.includes(key))
        .map((key) => `${name} has no ${key}`),
      ...(facts.attributes.includes('gen_ai.token.type')
        ? unless(['input', 'output'].includes(String(attributes['gen_ai.token.type'])), 'no type of tokens')
        : []),
    ]),
  ]
}

/** Required of every call, and only together. */
const callFaults = (attributes: ReceivedAttributes): string[] => [
  ...unless(
    [...operations, ...ownOperations].includes(String(attributes['gen_ai.operation.name'])),
    `gen_ai.operation.name is ${String(attributes['gen_ai.operation.name'])}`,
  ),
  ...unless(
    [...providers, ...ownProviders].includes(String(attributes['gen_ai.provider.name'])),
    `gen_ai.provider.name is ${String(attributes['gen_ai.provider.name'])}`,
  ),
  ...unless(
    attributes['server.address'] === undefined || attributes['server.port'] !== undefined,
    'server.address stands without server.port',
  ),
]

function typeFaults(attributes: ReceivedAttributes, typeOf: (key: string) => Type | undefined): string[] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    const type = typeOf(key)
    if (type === undefined) return unless(key.startsWith('onward.'), `${key} is in no convention`)
    return unless(fits(value, type), `${key} is no ${type}: ${JSON.stringify(value)}`)
  })
}

function fits(value: ReceivedValue, type: Type): boolean {
  switch (type) {
    case 'int':
      return Number.isInteger(value)
    case 'double':
      return typeof value === 'number'
    case 'string[]':
      return Array.isArray(value)
    default:
      return typeof value === type
  }
}

const unless = (holds: boolean, fault: string): string[] => (holds ? [] : [fault])
