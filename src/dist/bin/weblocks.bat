@echo off
rem Starts the command line of an unpacked distribution on JAVA_HOME or the java of PATH, 21 or newer.
rem It fetches no web-platform-tests: name a directory of them with wpt --wpt DIR.
setlocal
for %%I in ("%~dp0..") do set "WEBLOCKS_HOME=%%~fI"
set "WEBLOCKS_JAVA=java"
if defined JAVA_HOME set "WEBLOCKS_JAVA=%JAVA_HOME%\bin\java"
"%WEBLOCKS_JAVA%" -Xss16m -XX:-PrintWarnings -XX:TieredStopAtLevel=1 -XX:+UseSerialGC ^
  --enable-native-access=ALL-UNNAMED -Dsun.misc.unsafe.memory.access=allow ^
  -Dpolyglot.engine.WarnInterpreterOnly=false "-Dweblocks.home=%WEBLOCKS_HOME%" %WEBLOCKS_JVM% ^
  -cp "%WEBLOCKS_HOME%\lib\*" dev.weblocks.cli.Main %*
exit /b %ERRORLEVEL%
