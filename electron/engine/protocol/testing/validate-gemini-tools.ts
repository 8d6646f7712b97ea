import { asList, asObject, type JsonObject } from '../values.ts'

const declarationMembers = [
  'name',
  'description',
  'parameters',
  'parametersJsonSchema',
  'response',
  'responseJsonSchema',
  'behavior',
]
const natives = [
  'googleSearch',
  'googleSearchRetrieval',
  'codeExecution',
  'urlContext',
  'computerUse',
  'fileSearch',
  'googleMaps',
  'mcpServers',
]
const schemaTypes = ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL']
const modes = ['AUTO', 'ANY', 'NONE', 'VALIDATED']

export function checkGeminiTools(body: JsonObject, problems: string[]): void {
  const names = new Set<string>()
  for (const entry of asList(body['tools'])) {
    const tool = asObject(entry) ?? {}
    for (const kind in tool) {
      if (kind === 'functionDeclarations')
        for (const declaration of asList(tool[kind])) checkDeclaration(asObject(declaration) ?? {}, names, problems)
      else if (!natives.includes(kind)) problems.push(`tools[].${kind} is not documented`)
    }
    if (Object.keys(tool).length === 0) problems.push('tools[] is empty')
  }
  const config = asObject(body['toolConfig'])
  if (config) checkCalling(asObject(config['functionCallingConfig']) ?? {}, names, problems)
}

function checkDeclaration(declaration: JsonObject, names: Set<string>, problems: string[]): void {
  const name = String(declaration['name'])
  if (!/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(name))
    problems.push(`functionDeclarations[].name is no function name: ${name}`)
  if (names.has(name)) problems.push(`functionDeclarations[].name stands twice: ${name}`)
  names.add(name)
  for (const member in declaration)
    if (!declarationMembers.includes(member)) problems.push(`functionDeclarations[].${member} is not documented`)
  if ('description' in declaration && typeof declaration['description'] !== 'string')
    problems.push('functionDeclarations[].description is no text')
  if ('parameters' in declaration && 'parametersJsonSchema' in declaration)
    problems.push('functionDeclarations[] has two schemas')
  if ('parametersJsonSchema' in declaration && !asObject(declaration['parametersJsonSchema']))
    problems.push('functionDeclarations[].parametersJsonSchema is no object')
  const schema = asObject(declaration['parameters'])
  if (schema && !schemaTypes.includes(String(schema['type']).toUpperCase()))
    problems.push('functionDeclarations[].parameters.type is unknown')
}

/** Names may only be narrowed if calls must follow their schemas. */
function checkCalling(calling: JsonObject, names: ReadonlySet<string>, problems: string[]): void {
  const mode = String(calling['mode'])
  const allowed = asList(calling['allowedFunctionNames'])
  if (!modes.includes(mode)) problems.push(`functionCallingConfig.mode is unknown: ${mode}`)
  if (names.size === 0) problems.push('functionCallingConfig stands without functions')
  if (allowed.length > 0 && mode !== 'ANY' && mode !== 'VALIDATED')
    problems.push(`allowedFunctionNames stand with mode ${mode}`)
  for (const name of allowed)
    if (!names.has(String(name))) problems.push(`allowedFunctionNames has an unknown one: ${String(name)}`)
}
