#compdef onward
# zsh completion for onward. Put it where $fpath looks, as _onward, or: source <(onward completion zsh)
_onward_uninstall() {
  _arguments '--data[remove the home as well\: sessions, goals, alarms, records, config, and keys, also from the keychain]' \
    '--yes[without asking]' \
    '--dry-run[show it, and do nothing]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_completion() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '1:value:(bash zsh fish)' \
    '*:file:_files'
}
_onward_logs() {
  _arguments '-f[go on until Ctrl C]' \
    '--follow[go on until Ctrl C]' \
    '-n[this many lines from the end]:value:_files' \
    '--lines[this many lines from the end]:value:_files' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_update() {
  _arguments '--check[ask whether there is a newer one]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_doctor() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_config_put_back() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_config_undo() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_config_edit() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_config_check() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_config_path() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_config() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(
    'path:where it is'
    'check:whether it is right'
    'edit:in your editor, checked before it counts'
    'undo:take back the last change made from here'
    'put-back:the last one that was right, when the file is wrong'
  )
  _arguments -C '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '1: :->command' \
    '*:: :->rest'
  case "$state" in
  command) _describe -t commands 'command' commands ;;
  rest) case "$line[1]" in
    path) _onward_config_path ;;
    check) _onward_config_check ;;
    edit) _onward_config_edit ;;
    undo) _onward_config_undo ;;
    put-back) _onward_config_put_back ;;
  esac ;;
  esac
}
_onward_notify_quiet() {
  _arguments '--needs-you[tell all the same that a session needs you]:value:(on off)' \
    '--own-alarms[let alarms that you set yourself ring]:value:(on off)' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_notify_test() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_notify() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(
    'test:a real message to one, or to each that is on'
    'quiet:hours in which nothing is shown or sent'
  )
  _arguments -C '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '1: :->command' \
    '*:: :->rest'
  case "$state" in
  command) _describe -t commands 'command' commands ;;
  rest) case "$line[1]" in
    test) _onward_notify_test ;;
    quiet) _onward_notify_quiet ;;
  esac ;;
  esac
}
_onward_tools_default() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_tools_off() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_tools_on() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_tools() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(
    'on:switch one on, or all'
    'off:switch one off, or all'
    'default:one, or all, as they are by themselves'
  )
  _arguments -C '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '1: :->command' \
    '*:: :->rest'
  case "$state" in
  command) _describe -t commands 'command' commands ;;
  rest) case "$line[1]" in
    on) _onward_tools_on ;;
    off) _onward_tools_off ;;
    default) _onward_tools_default ;;
  esac ;;
  esac
}
_onward_budgets() {
  _arguments '--rounds[after so many rounds, or `never`]:value:_files' \
    '--hours[after so long, or `never`]:value:_files' \
    '--no-progress[after so many rounds in a row without progress, or `never`]:value:_files' \
    '--tokens[after so many tokens, the reviewer’s among them, or `never`]:value:_files' \
    '--cost[after so many dollars, the reviewer’s among them, or `never`]:value:_files' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_route() {
  _arguments '--tokens[about so many input tokens]:value:_files' \
    '--thinking[it asks for thinking]' \
    '--image[an image is in the last message]' \
    '--web-search[it brings a web search of its vendor]' \
    '--entry[what the client speaks]:value:(chat responses messages gemini)' \
    '--kind[what kind of request]:value:(turn subagent title compaction count probe aside)' \
    '--session[its markers and its provider so far count]:value:_files' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_providers_remove() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_providers_keys() {
  _arguments '--to[move all there]:value:(keychain file)' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_providers_add() {
  _arguments '--id[its name in the config, where that is not the preset’s]:value:_files' \
    '--type[what it speaks]:value:(openai-chat openai-responses anthropic gemini simulator)' \
    '--base-url[its address]:value:_files' \
    '--auth[key, the client’s own login, or none]:value:(key client none)' \
    '--key-env[the key stands in this variable of the engine’s environment]:value:_files' \
    '--key-stdin[read the key from stdin and keep it; asks you to confirm]' \
    '--model[a model it has; can be given several times]:value:_files' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_providers_test() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_providers() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(
    'test:a real, small call to one, or to each'
    'add:a new one, by a preset or by its address'
    'keys:where stored keys are kept; move them'
    'remove:take one out, of routes too'
  )
  _arguments -C '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '1: :->command' \
    '*:: :->rest'
  case "$state" in
  command) _describe -t commands 'command' commands ;;
  rest) case "$line[1]" in
    test) _onward_providers_test ;;
    add) _onward_providers_add ;;
    keys) _onward_providers_keys ;;
    remove) _onward_providers_remove ;;
  esac ;;
  esac
}
_onward_dashboard() {
  _arguments '--sign-out[sign out all windows instead, and end links that were not used yet]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_service_uninstall() {
  _arguments '--yes[without asking]' \
    '--dry-run[show it, and do nothing]' \
    '--force[also a file that is not Onward’s, or was changed by hand; a copy is kept]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_service_status() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_service_install() {
  _arguments '--yes[without asking]' \
    '--dry-run[show it, and do nothing]' \
    '--force[also a file that is not Onward’s, or was changed by hand; a copy is kept]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_service() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(
    'install:run the engine at each login'
    'status:whether it is installed, and runs'
    'uninstall:take it away again'
  )
  _arguments -C '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '1: :->command' \
    '*:: :->rest'
  case "$state" in
  command) _describe -t commands 'command' commands ;;
  rest) case "$line[1]" in
    install) _onward_service_install ;;
    status) _onward_service_status ;;
    uninstall) _onward_service_uninstall ;;
  esac ;;
  esac
}
_onward_serve() {
  _arguments '--take-over[ask the engine that runs on this home to end first; agents live on]' \
    '--service[as the system’s service manager starts it, see onward service]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_setup() {
  _arguments '--list[what was found, and nothing else]' \
    '--use[use this sign-in or key, by its id in the list]:value:_files' \
    '--agent[point its own settings at Onward, after showing how]:value:(claude codex opencode gemini qwen)' \
    '--undo[put its settings back, to the last byte]:value:(claude codex opencode gemini qwen)' \
    '--demo[a demo agent that stops and is continued three times]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_start() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_capture() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_cost() {
  _arguments '--days[today and the days before it, 92 at most]:value:_files' \
    '--by[one line for each]:value:(model session provider day)' \
    '--csv[print a file for a spreadsheet]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_turns_show() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_turns() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(
    'show:one turn, and why it went where it went'
  )
  _arguments -C '--limit[at most this many]:value:_files' \
    '--failed[only those that failed]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '1: :->command' \
    '*:: :->rest'
  case "$state" in
  command) _describe -t commands 'command' commands ;;
  rest) case "$line[1]" in
    show) _onward_turns_show ;;
  esac ;;
  esac
}
_onward_report() {
  _arguments '--since[as in 8h, 90min, 22\:00, yesterday, “yesterday 18\:00” or 2026-11-27T22\:00]:value:_files' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_recover() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '1:value:(on off)' \
    '*:file:_files'
}
_onward_resume_at_reset() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_resume() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_pause() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_alarm_missed() {
  _arguments '--deliver[send it again now; a beginning of the key is enough]:value:_files' \
    '--dismiss[be done with it]:value:_files' \
    '--dismiss-all[be done with all of them]' \
    '--reschedule[set it again, for the time of --at]:value:_files' \
    '--at[when, for --reschedule]:value:_files' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_alarm_restore() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_alarm_skip() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_alarm_cancel() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_alarm_snooze() {
  _arguments '--for[how long from now\: 10m, 1h30, 2 days]:value:_files' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_alarm_edit() {
  _arguments '--at[the new time]:value:_files' \
    '--text[what the agent is told]:value:_files' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_alarm_list() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_alarm_add() {
  _arguments '--at[the time, instead of the argument]:value:_files' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_alarm() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(
    'add:set one\: when, and what to tell the agent'
    'list:alarms, the next due first'
    'edit:another time or text'
    'snooze:ring again in a while'
    'cancel:take one away; `restore` brings it back'
    'skip:leave out the next time of one that repeats'
    'restore:take a cancel or a skip back'
    'missed:what was not delivered in time; deliver, reschedule, dismiss'
  )
  _arguments -C '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '1: :->command' \
    '*:: :->rest'
  case "$state" in
  command) _describe -t commands 'command' commands ;;
  rest) case "$line[1]" in
    add) _onward_alarm_add ;;
    list) _onward_alarm_list ;;
    edit) _onward_alarm_edit ;;
    snooze) _onward_alarm_snooze ;;
    cancel) _onward_alarm_cancel ;;
    skip) _onward_alarm_skip ;;
    restore) _onward_alarm_restore ;;
    missed) _onward_alarm_missed ;;
  esac ;;
  esac
}
_onward_markers_forget() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_markers_apply() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_markers() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(
    'apply:follow one after all; asks you to confirm'
    'forget:offer one no more'
  )
  _arguments -C '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '1: :->command' \
    '*:: :->rest'
  case "$state" in
  command) _describe -t commands 'command' commands ;;
  rest) case "$line[1]" in
    apply) _onward_markers_apply ;;
    forget) _onward_markers_forget ;;
  esac ;;
  esac
}
_onward_checks_forget() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_checks_approve() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_checks_add() {
  _arguments '--name[what it is called; else its words say it]:value:_files' \
    '--timeout[it is ended after so long]:value:_files' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_checks_run() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_checks() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(
    'run:run one now'
    'add:one of your own; asks you to confirm'
    'approve:let one run; asks you to confirm'
    'forget:take an approval back; asks you to confirm'
  )
  _arguments -C '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '1: :->command' \
    '*:: :->rest'
  case "$state" in
  command) _describe -t commands 'command' commands ;;
  rest) case "$line[1]" in
    run) _onward_checks_run ;;
    add) _onward_checks_add ;;
    approve) _onward_checks_approve ;;
    forget) _onward_checks_forget ;;
  esac ;;
  esac
}
_onward_rounds() {
  _arguments '-n[at most this many]:value:_files' \
    '--limit[at most this many]:value:_files' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_stop_message() {
  _arguments '--goal[the text, with --review]:value:_files' \
    '--rounds[how often\: a number, or `unbounded`]:value:_files' \
    '--review[a reviewer looks at each round and writes the next message]' \
    '--no-review[the text itself is typed]' \
    '--edit[change text, rounds or review while it runs; rounds used stay]' \
    '--clear[stop; the text is kept for --rearm]' \
    '--pause[hold this session’s followups]' \
    '--resume[go on; its guards count from here. Where it waits for work in the background\: at once]' \
    '--add[this many rounds more]:value:_files' \
    '--rearm[set again what was last cleared or failed]' \
    '--carry-on[a goal of the conversation before /clear or /new goes on in this one, at once]' \
    '--now[the agent is idle\: type the first message now; alone\: of what is set]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_say() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_sessions_restore() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_sessions_archive() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_sessions_delete() {
  _arguments '--yes[do not ask]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_sessions() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(
    'delete:take away all that is kept of it'
    'archive:take it out of the list until its next turn'
    'restore:bring an archived one back into the list'
  )
  _arguments -C '--archived[archived ones too]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '1: :->command' \
    '*:: :->rest'
  case "$state" in
  command) _describe -t commands 'command' commands ;;
  rest) case "$line[1]" in
    delete) _onward_sessions_delete ;;
    archive) _onward_sessions_archive ;;
    restore) _onward_sessions_restore ;;
  esac ;;
  esac
}
_onward_status() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_terminals_screen() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_terminals_rename() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_terminals_close() {
  _arguments '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_terminals_adopt() {
  _arguments '--socket[tmux server, where several have a pane of this id]:value:_files' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_terminals_open() {
  _arguments '--cwd[folder to start in (default\: this one)]:value:_files' \
    '--name[name in the lists]:value:_files' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '1:value:(claude codex opencode gemini qwen copilot kimi kilo other)' \
    '*::arguments:_normal'
}
_onward_terminals() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(
    'open:a new terminal inside Onward'
    'adopt:make an agent known that runs in tmux already'
    'close:end a terminal of Onward'
    'rename:give a terminal a name'
    'screen:its screen without your texts, for a report'
  )
  _arguments -C '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '1: :->command' \
    '*:: :->rest'
  case "$state" in
  command) _describe -t commands 'command' commands ;;
  rest) case "$line[1]" in
    open) _onward_terminals_open ;;
    adopt) _onward_terminals_adopt ;;
    close) _onward_terminals_close ;;
    rename) _onward_terminals_rename ;;
    screen) _onward_terminals_screen ;;
  esac ;;
  esac
}
_onward_register() {
  _arguments '--client[what runs there]:value:(claude codex opencode gemini qwen copilot kimi kilo other)' \
    '--daemon-id[identity that stays when the program is started again]:value:_files' \
    '--name[name in the lists]:value:_files' \
    '--export[print shell `export` lines]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '*:file:_files'
}
_onward_run() {
  _arguments '--tmux[in a new tmux session]' \
    '--name[name in the lists]:value:_files' \
    '--direct[start it without Onward when there is no engine]' \
    '-h[this help; `-- --help` is the agent’s]' \
    '--help[this help; `-- --help` is the agent’s]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '*::arguments:_normal'
}
_onward_kilo() {
  _arguments '--tmux[in a new tmux session]' \
    '--name[name in the lists]:value:_files' \
    '--direct[start it without Onward when there is no engine]' \
    '-h[this help; `-- --help` is the agent’s]' \
    '--help[this help; `-- --help` is the agent’s]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '*::arguments:_normal'
}
_onward_kimi() {
  _arguments '--tmux[in a new tmux session]' \
    '--name[name in the lists]:value:_files' \
    '--direct[start it without Onward when there is no engine]' \
    '-h[this help; `-- --help` is the agent’s]' \
    '--help[this help; `-- --help` is the agent’s]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '*::arguments:_normal'
}
_onward_copilot() {
  _arguments '--tmux[in a new tmux session]' \
    '--name[name in the lists]:value:_files' \
    '--direct[start it without Onward when there is no engine]' \
    '-h[this help; `-- --help` is the agent’s]' \
    '--help[this help; `-- --help` is the agent’s]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '*::arguments:_normal'
}
_onward_qwen() {
  _arguments '--tmux[in a new tmux session]' \
    '--name[name in the lists]:value:_files' \
    '--direct[start it without Onward when there is no engine]' \
    '-h[this help; `-- --help` is the agent’s]' \
    '--help[this help; `-- --help` is the agent’s]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '*::arguments:_normal'
}
_onward_gemini() {
  _arguments '--tmux[in a new tmux session]' \
    '--name[name in the lists]:value:_files' \
    '--direct[start it without Onward when there is no engine]' \
    '-h[this help; `-- --help` is the agent’s]' \
    '--help[this help; `-- --help` is the agent’s]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '*::arguments:_normal'
}
_onward_opencode() {
  _arguments '--tmux[in a new tmux session]' \
    '--name[name in the lists]:value:_files' \
    '--direct[start it without Onward when there is no engine]' \
    '-h[this help; `-- --help` is the agent’s]' \
    '--help[this help; `-- --help` is the agent’s]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '*::arguments:_normal'
}
_onward_codex() {
  _arguments '--tmux[in a new tmux session]' \
    '--name[name in the lists]:value:_files' \
    '--direct[start it without Onward when there is no engine]' \
    '-h[this help; `-- --help` is the agent’s]' \
    '--help[this help; `-- --help` is the agent’s]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '*::arguments:_normal'
}
_onward_claude() {
  _arguments '--tmux[in a new tmux session]' \
    '--name[name in the lists]:value:_files' \
    '--direct[start it without Onward when there is no engine]' \
    '-h[this help; `-- --help` is the agent’s]' \
    '--help[this help; `-- --help` is the agent’s]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '*::arguments:_normal'
}
_onward() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(
    'claude:start Claude Code here, kept going by Onward'
    'codex:start Codex here, kept going by Onward'
    'opencode:start opencode here, kept going by Onward'
    'gemini:start Gemini CLI here, kept going by Onward'
    'qwen:start Qwen Code here, kept going by Onward'
    'copilot:start GitHub Copilot CLI here, kept going by Onward'
    'kimi:start Kimi Code here, kept going by Onward'
    'kilo:start Kilo Code here, kept going by Onward'
    'run:start any program here, pointed at Onward'
    'register:make a program started by hand known'
    'terminals:where agents run; open, adopt, close, rename, screen'
    'status:what the engine does right now'
    'sessions:every session, those that need you first'
    'say:type a message into a session’s terminal'
    'stop-message:keep a session going\: set, show, clear'
    'rounds:what each round did, found and sent'
    'checks:what has to pass before a goal is reached'
    'markers:markers that were not followed, since somebody else may have written them'
    'alarm:tell an agent something at a set time'
    'pause:type nothing until `resume`'
    'resume:go on after `pause`'
    'resume-at-reset:go on when a provider’s limit lifts'
    'recover:go on when a provider that failed answers again'
    'report:what happened while you were away'
    'turns:what went to which model, newest first; show one'
    'cost:what requests cost\: today, or some days'
    'capture:keep what a session sends and gets'
    'start:open the desktop app; without a display\: serve'
    'setup:the first steps\: models, an agent, a demo'
    'serve:run the engine without a window'
    'service:run the engine at each login\: install, status, uninstall'
    'dashboard:a link to the dashboard'
    'providers:who answers; add, test, remove'
    'route:where a request would go, and why'
    'budgets:when a run stops to ask you; change it'
    'tools:Onward’s own tools for models; switch them'
    'notify:where notifications are sent besides this machine; try one'
    'config:the config file\: path, check, edit, undo, put-back'
    'doctor:what is wrong here, and how to mend it'
    'update:how a newer Onward is installed here'
    'logs:the engine’s log'
    'completion:completions for bash, zsh or fish'
    'uninstall:undo what Onward set up on this machine'
  )
  _arguments -C '-V[print the version]' \
    '--version[print the version]' \
    '--home[Onward home (or ONWARD_HOME; default ~/.onward)]:value:_files' \
    '--port[port of the engine (or ONWARD_PORT)]:value:_files' \
    '--json[print JSON]' \
    '-h[print this help]' \
    '--help[print this help]' \
    '1: :->command' \
    '*:: :->rest'
  case "$state" in
  command) _describe -t commands 'command' commands ;;
  rest) case "$line[1]" in
    claude) _onward_claude ;;
    codex) _onward_codex ;;
    opencode) _onward_opencode ;;
    gemini) _onward_gemini ;;
    qwen) _onward_qwen ;;
    copilot) _onward_copilot ;;
    kimi) _onward_kimi ;;
    kilo) _onward_kilo ;;
    run) _onward_run ;;
    register) _onward_register ;;
    terminals) _onward_terminals ;;
    status) _onward_status ;;
    sessions) _onward_sessions ;;
    say) _onward_say ;;
    stop-message) _onward_stop_message ;;
    rounds) _onward_rounds ;;
    checks) _onward_checks ;;
    markers) _onward_markers ;;
    alarm) _onward_alarm ;;
    pause) _onward_pause ;;
    resume) _onward_resume ;;
    resume-at-reset) _onward_resume_at_reset ;;
    recover) _onward_recover ;;
    report) _onward_report ;;
    turns) _onward_turns ;;
    cost) _onward_cost ;;
    capture) _onward_capture ;;
    start) _onward_start ;;
    setup) _onward_setup ;;
    serve) _onward_serve ;;
    service) _onward_service ;;
    dashboard) _onward_dashboard ;;
    providers) _onward_providers ;;
    route) _onward_route ;;
    budgets) _onward_budgets ;;
    tools) _onward_tools ;;
    notify) _onward_notify ;;
    config) _onward_config ;;
    doctor) _onward_doctor ;;
    update) _onward_update ;;
    logs) _onward_logs ;;
    completion) _onward_completion ;;
    uninstall) _onward_uninstall ;;
  esac ;;
  esac
}
compdef _onward onward
