/**
 * `provider.model` as people see it everywhere: `zai/glm-5`. A provider's id has no dot; models keep theirs, and their
 * slashes.
 */
export const targetText = (target: string): string => target.replace('.', '/')
