/** The layout of spec 00 as rules. Checked by e2e/layout.spec.ts. Layers import downwards only. */
const engine = '^electron/engine/'
const layers = require('./scripts/layers.cjs')
const upward = layers.flatMap((names, level) => {
  const above = layers.slice(level + 1).flat()
  return above.length === 0
    ? []
    : [
        {
          name: `${names.join('-')}-imports-downwards`,
          severity: 'error',
          from: { path: `${engine}(${names.join('|')})/` },
          to: { path: `${engine}(${above.join('|')})/` },
        },
      ]
})

module.exports = {
  forbidden: [
    ...upward,
    {
      name: 'assembly-stands-on-top',
      severity: 'error',
      from: { path: engine, pathNot: [`${engine}(assembly/|engine\\.ts$)`, '\\.test\\.ts$'] },
      to: { path: `${engine}(assembly/|engine\\.ts$)` },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'shared-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^shared/' },
      to: { path: '^(electron|renderer|e2e|scripts)/' },
    },
    {
      name: 'renderer-imports-only-shared',
      severity: 'error',
      from: { path: '^renderer/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(electron|e2e|scripts)/' },
    },
    {
      name: 'page-loads-one-language',
      severity: 'error',
      from: { path: '^renderer/', pathNot: '\\.test\\.tsx?$|/testing/|^renderer/i18n/spoken-' },
      to: {
        path: '^shared/sentences/(index|en|zh-CN)\\.ts$|^renderer/i18n/(en|zh-CN)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'only-shell-imports-electron',
      severity: 'error',
      from: { pathNot: '^electron/(shell/|main\\.ts|hosts/desktop-app\\.ts|preload\\.ts)' },
      to: { path: '(^|/)node_modules/electron/|^electron$' },
    },
    {
      name: 'engine-knows-no-host',
      severity: 'error',
      from: { path: engine, pathNot: '\\.test\\.ts$' },
      to: { path: '^electron/(shell|cli|hosts|main\\.ts|preload\\.ts)' },
    },
    {
      name: 'codecs-know-no-servertools',
      severity: 'error',
      from: { path: `${engine}protocol/` },
      to: { path: `${engine}(servertools|router|providers|sessions|terminals)/` },
    },
    {
      name: 'servertools-know-no-wire',
      severity: 'error',
      from: { path: `${engine}servertools/` },
      to: { path: `${engine}(protocol/(chat|responses|messages|gemini|sse|json-bytes)|gateway)/|^(node:)?https?$` },
    },
    {
      name: 'providers-know-no-payload',
      severity: 'error',
      from: { path: `${engine}providers/`, pathNot: `${engine}providers/simulator/|\\.test\\.ts$` },
      to: { path: `${engine}(protocol|servertools|sessions)/` },
    },
    {
      name: 'product-imports-no-tests',
      severity: 'error',
      from: { path: '^(electron|renderer|shared)/', pathNot: '\\.test\\.tsx?$|/testing/' },
      to: { path: '^e2e/' },
    },
    {
      name: 'product-imports-no-test-kits',
      severity: 'error',
      from: { path: '^(electron|renderer|shared)/', pathNot: '\\.test\\.tsx?$|/testing/' },
      to: { path: '/testing/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs'] },
  },
}
