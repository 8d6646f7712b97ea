; Before the program goes for good: agents that were set up for good must work without it. An update runs the old
; uninstaller as well, and undoes nothing. Where nobody is there to be asked (/S), agents are put right.
!macro customUnInit
  ${ifNot} ${isUpdated}
    ; The builder makes every uninstaller silent by now, so what the person said is looked up.
    ClearErrors
    ${GetParameters} $R0
    ${GetOptions} $R0 "/S" $R1
    StrCpy $R2 "silent"
    ${if} ${Errors}
      StrCpy $R2 "asked"
      MessageBox MB_YESNO|MB_ICONQUESTION "Undo what Onward set up?$\r$\n$\r$\nAgents get their own settings back; the service, the start at login and the command go. Sessions and keys stay, keys in the Credential Manager as well (dev.onward). $\"onward uninstall --data$\" in a terminal removes them, before you go on here." IDYES onwardUndo
      Goto onwardStays
    ${endIf}
    onwardUndo:
    nsExec::ExecToLog '"$SYSDIR\cmd.exe" /d /s /c ""$INSTDIR\resources\bin\onward.cmd" uninstall --yes"'
    Pop $R1
    ${if} $R1 != 0
    ${andIf} $R2 == "asked"
      MessageBox MB_OKCANCEL|MB_ICONEXCLAMATION "Not everything could be undone. $\"onward uninstall$\" in a terminal says why. Uninstall all the same?" IDOK onwardStays
      Quit
    ${endIf}
    onwardStays:
  ${endIf}
!macroend

; What the app registered itself for onward:// links, if it leads here.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    ReadRegStr $R0 HKCU "Software\Classes\onward\shell\open\command" ""
    StrCpy $R1 "$\"$INSTDIR\"
    StrLen $R2 $R1
    StrCpy $R0 $R0 $R2
    ${if} $R0 == $R1
      DeleteRegKey HKCU "Software\Classes\onward"
    ${endIf}
  ${endIf}
!macroend
