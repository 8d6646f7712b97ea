/** The text of a new config: the schema stands beside it (write-schema.ts), so editors help from the first line on. */
export const newConfig = '{\n  "$schema": "./config.schema.json"\n}\n'
